import {
  failure,
  renderForModel,
  toolError,
  type ProgressUpdate,
  type Session,
  type ToolResult,
  type ToolSnapshot,
  type ToolSource,
} from '@haft/core';
import type { CallQueue } from '@haft/core/dispatch';
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
import { runCallAsTask, type TaskAnswer } from '../../tasks/run-call-as-task.ts';
import { supportsTasks, ownerOf, tasksRequiredError } from '../../tasks/serve-tasks.ts';
import type { ServedTask } from '../../tasks/served-task.ts';
import type { TaskStore } from '../../tasks/task-store.ts';

/** Facilities that a tool may require of its client. */
const askable: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots']);

/** What a request is answered with. */
export type CallAnswer = CallToolResult | InputRequiredResult | TaskAnswer;

/** Answers one `tools/call` request. Rejects only when the tools can't be looked at, or the client lacks what one requires. */
export type CallServer = (
  params: CallToolRequest['params'],
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
  taskStore?: TaskStore,
): CallServer {
  let calls = 0;
  let before: Promise<ToolSnapshot> | undefined;

  const snapshotInOrder = (): Promise<ToolSnapshot> => {
    const seen = view.visible();
    const look = before ? Promise.all([seen, before]).then(first, () => seen) : seen;
    const end = (): void => {
      if (before === look) before = undefined;
    };
    before = look;
    look.then(end, end);
    return look;
  };

  return async (params, context, server) => {
    calls += 1;
    const id = `mcp-${calls}`;
    const { name, arguments: args = {}, _meta: meta } = params;
    const { signal, notify } = context.mcpReq;
    const visible = await snapshotInOrder();
    const tool = visible.get(name);
    // A tool that can't be used just now is looked up anew: its answer says why it can't.
    const isUnavailable = tool === undefined && view.all().has(name);
    const caller = sessionOf(context, server, name, codec, meta);
    const { session, sessionId } = caller;
    const requires = tool?.traits.requires;
    if (requires && caller.isModern) refuseWhatIsMissing(requires, session);
    const mode = taskStore?.modeOf(tool) ?? 'never';
    const isTaskable = taskStore !== undefined && mode !== 'never';
    const isFollowed = isTaskable && supportsTasks(context);
    if (mode === 'required' && !isFollowed) throw tasksRequiredError();

    let task: ServedTask | undefined;
    const progressToken = meta?.progressToken;
    const reportProgress =
      progressToken === undefined
        ? undefined
        : createProgressReporter(notify, progressToken, (cause) =>
            onError(new Error(`the progress of ${name} could not be delivered`, { cause })),
          );
    const report = (update: ProgressUpdate): void => {
      if (!task) reportProgress?.(update);
      else if (update.message !== undefined) task.setStatusMessage(update.message);
    };
    const run = async (until: AbortSignal): Promise<EndedCall> => {
      const result = await source.dispatch(
        { id, name, arguments: args, stopped: 'stop' },
        {
          signal: until,
          queue,
          session,
          ...(sessionId === undefined ? {} : { sessionId }),
          ...(isUnavailable ? {} : { snapshot: visible }),
          ...(isFollowed ? { onProgress: report } : reportProgress ? { onProgress: reportProgress } : {}),
        },
      );
      try {
        const { opened } = caller;
        const pending = task || !opened ? undefined : await opened.pending();
        return { result, answer: pending ?? (await describeResult(result, tool)) };
      } catch (cause) {
        const error = toolError('OUTPUT_INVALID', `the result of ${name} can't be sent`, { cause });
        onError(new Error(error.message, { cause }));
        const failed = failure(id, error, { name });
        return { result: failed, answer: await describeResult(failed, undefined) };
      }
    };
    if (!isTaskable || !isFollowed) return (await run(signal)).answer;
    const ended = await runCallAsTask<EndedCall>({
      mode,
      taskStore,
      owner: ownerOf(context),
      signal,
      canBecomeTask: () => caller.opened?.isAsking !== true,
      onTask(begun) {
        task = begun;
        caller.open().askThrough((key, question) => begun.ask(key, question));
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

function first<Item>([item]: readonly [Item, ...unknown[]]): Item {
  return item;
}

/** Tells a client that has asked for it how far its call is. */
function createProgressReporter(
  notify: ServerContext['mcpReq']['notify'],
  progressToken: string | number,
  onFailed: (cause: unknown) => void,
): (update: ProgressUpdate) => void {
  const step = createProgressCounter();
  let isReported = false;
  return (update) => {
    notify({ method: 'notifications/progress', params: { progressToken, ...step(update) } }).catch((cause: unknown) => {
      // Once is enough: a client that is gone hears of no more, and its call is cancelled elsewhere.
      if (!isReported) onFailed(cause);
      isReported = true;
    });
  };
}

/** @throws MissingRequiredClientCapabilityError for what a tool asks its client for, and that can't give. */
function refuseWhatIsMissing(requires: readonly string[], session: Session): void {
  const wanted = requires.filter((facility) => askable.has(facility) && session.capabilities?.[facility] === undefined);
  if (wanted.length > 0)
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: Object.fromEntries(wanted.map((facility) => [facility, {}])),
    });
}

/** A failure of the host is one of the protocol; every other has an answer that says so. */
function endTask(task: ServedTask, { result, answer }: EndedCall): void {
  if (!result.ok && result.error.fault === 'host') task.fail({ code: -32_603, message: renderForModel(result) });
  else task.complete({ ...answer });
}
