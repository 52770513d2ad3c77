import {
  failure,
  renderForModel,
  toolError,
  type CallQueue,
  type ToolResult,
  type ToolSnapshot,
  type ToolSource,
} from '@haft/core';
import {
  MissingRequiredClientCapabilityError,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { createProgressCounter } from './progress-counter.ts';
import type { RoundState } from './served-peer.ts';
import { describeResult } from './served-result.ts';
import { sessionOf } from './served-session.ts';
import type { ServedView } from './served-tools.ts';
import { runTaskable, type TaskAnswer } from './tasks/run-taskable.ts';
import { knowsTasks, ownerOf, refuseWithoutTasks } from './tasks/serve-tasks.ts';
import type { ServedTask } from './tasks/served-task.ts';
import type { TaskKeeper } from './tasks/task-keeper.ts';

/** Facilities that a tool may require of its client. */
const askable: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots']);

/** What a request is answered with. */
export type CallAnswer = CallToolResult | InputRequiredResult | TaskAnswer;

/** Answers one `tools/call` request. Rejects only when the tools can't be looked at. */
export type CallServer = (
  request: CallToolRequest,
  context: ServerContext,
  server: Pick<Server, 'getClientVersion' | 'getClientCapabilities'>,
) => Promise<CallAnswer>;

/**
 * Makes what answers the calls of a server, all of which share one queue. Calls enter it in the order in which they came,
 * however long it takes each to find out which tools can be used.
 */
export function createCallServer(
  source: ToolSource,
  view: ServedView,
  queue: CallQueue,
  codec: RequestStateCodec<RoundState>,
  onError: (error: Error) => void,
  keeper?: TaskKeeper,
): CallServer {
  let calls = 0;
  let before: Promise<unknown> = Promise.resolve();

  const lookInOrder = (): Promise<ToolSnapshot> => {
    const look = Promise.all([view.visible(), before]).then(([visible]) => visible);
    before = look.catch(() => undefined);
    return look;
  };

  return async (request, context, server) => {
    calls += 1;
    const id = `mcp-${calls}`;
    const { name, arguments: args = {}, _meta: meta } = request.params;
    const { signal, notify } = context.mcpReq;
    const visible = await lookInOrder();
    const tool = visible.get(name);
    // A tool that can't be used just now is looked up anew: its answer says why it can't.
    const isResting = tool === undefined && view.all().has(name);
    const progressToken = meta?.progressToken;
    const step = createProgressCounter();
    const { round, isModern, ...session } = sessionOf(context, server, name, codec, meta);
    const wanted = (tool?.traits.requires ?? []).filter(
      (facility) => askable.has(facility) && session.session.capabilities?.[facility] === undefined,
    );
    if (wanted.length > 0 && isModern)
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: Object.fromEntries(wanted.map((facility) => [facility, {}])),
      });
    const mode = keeper?.modeOf(tool) ?? 'never';
    const isFollowed = knowsTasks(context);
    if (mode === 'only' && !isFollowed) throw refuseWithoutTasks();

    let task: ServedTask | undefined;
    const report = (update: Progress): void => {
      if (task) return update.message === undefined ? undefined : task.say(update.message);
      if (progressToken === undefined) return;
      // A client that is gone hears of no progress; its call is cancelled elsewhere.
      notify({ method: 'notifications/progress', params: { progressToken, ...step(update) } }).catch(() => undefined);
    };
    const run = async (until: AbortSignal): Promise<EndedCall> => {
      const result = await source.dispatch(
        { id, name, arguments: args, stopped: 'stop' },
        {
          signal: until,
          queue,
          ...(isResting ? {} : { snapshot: visible }),
          ...session,
          ...(progressToken === undefined && keeper === undefined ? {} : { onProgress: report }),
        },
      );
      try {
        const pending = task ? undefined : await round.pending();
        return { result, answer: pending ?? (await describeResult(result, tool)) };
      } catch (cause) {
        const error = toolError('OUTPUT_INVALID', `the result of ${name} can't be sent`, { cause });
        onError(new Error(error.message, { cause }));
        const failed = failure(id, error, { name });
        return { result: failed, answer: await describeResult(failed, undefined) };
      }
    };
    if (!keeper || mode === 'never' || !isFollowed) return (await run(signal)).answer;
    const ended = await runTaskable<EndedCall>({
      mode,
      keeper,
      owner: ownerOf(context),
      signal,
      canBecomeTask: () => !round.isAsking,
      onTask(begun) {
        task = begun;
        round.park((key, question) => begun.ask(key, question));
      },
      run,
      end: endTask,
    });
    return 'resultType' in ended ? ended : ended.answer;
  };
}

interface EndedCall {
  readonly result: ToolResult;
  readonly answer: CallToolResult | InputRequiredResult;
}

type Progress = Parameters<ReturnType<typeof createProgressCounter>>[0];

/** A failure of the host is one of the protocol; every other has an answer that says so. */
function endTask(task: ServedTask, { result, answer }: EndedCall): void {
  if (!result.ok && result.error.fault === 'host') task.fail({ code: -32_603, message: renderForModel(result) });
  else task.complete({ ...answer });
}
