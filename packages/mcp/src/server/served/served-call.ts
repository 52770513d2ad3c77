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
  ProtocolError,
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
import { toLegacyTask } from '../../tasks/legacy-task.ts';
import { runCallAsTask, type TaskAnswer } from '../../tasks/run-call-as-task.ts';
import { notifyTaskStatus } from '../../tasks/serve-legacy-tasks.ts';
import { supportsTasks, ownerOf, tasksRequiredError } from '../../tasks/serve-tasks.ts';
import type { ServedTask } from '../../tasks/served-task.ts';
import type { TaskStore } from '../../tasks/task-store.ts';

const methodNotFound = -32_601;

/** Client features that a tool may require. */
const askable: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots']);

/** The response to a call. */
export type CallAnswer =
  | CallToolResult
  | InputRequiredResult
  | TaskAnswer
  | { readonly content: []; readonly task: Readonly<Record<string, unknown>> };

/**
 * Handles one `tools/call` request. Rejects only if the tools can't be listed or the client lacks a required feature.
 */
export type CallServer = (
  params: CallToolRequest['params'],
  context: ServerContext,
  server: Pick<Server, 'getClientVersion' | 'getClientCapabilities' | 'notification'>,
  anonymousId: string,
) => Promise<CallAnswer>;

/**
 * Creates the handler for the calls of a server. Calls enter the shared queue in order of arrival, however long listing
 * the tools takes for each.
 */
export function createCallServer(
  source: ToolSource,
  view: ServedView,
  queue: CallQueue,
  codec: RequestStateCodec<RoundState>,
  onWarning: (error: Error) => void,
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

  return async (params, context, server, anonymousId) => {
    calls += 1;
    const id = `mcp-${calls}`;
    const { name, arguments: args = {}, _meta: meta } = params;
    const { signal, notify } = context.mcpReq;
    const visible = await snapshotInOrder();
    const tool = visible.get(name);
    // A tool that is unavailable now is looked up in the full list, so that the result states the reason.
    const isUnavailable = tool === undefined && view.all().has(name);
    const caller = sessionOf(context, server, name, codec, anonymousId, meta);
    const { session, sessionId } = caller;
    const requires = tool?.traits.requires;
    if (requires && caller.isModern) refuseWhatIsMissing(requires, session);
    const mode = taskStore?.modeOf(tool) ?? 'never';
    const isTaskable = taskStore !== undefined && mode !== 'never';
    // In the 2025-11-25 revision, the client decides.
    const isLegacyTask = isTaskable && !caller.isModern && (params as { readonly task?: unknown }).task !== undefined;
    const isFollowed = isTaskable && (isLegacyTask || supportsTasks(context));
    if (mode === 'required' && !isFollowed)
      throw caller.isModern
        ? tasksRequiredError()
        : new ProtocolError(methodNotFound, `${name} has to be called as a task`);

    let task: ServedTask | undefined;
    const progressToken = meta?.progressToken;
    const reportProgress =
      progressToken === undefined
        ? undefined
        : createProgressReporter(notify, progressToken, (cause) =>
            onWarning(new Error(`the progress of ${name} could not be delivered`, { cause })),
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
        const error = toolError('OUTPUT_INVALID', `the result of ${name} can't be serialized`, { cause });
        onWarning(new Error(error.message, { cause }));
        const failed = failure(id, error, { name });
        return { result: failed, answer: await describeResult(failed, undefined) };
      }
    };
    if (!isTaskable || !isFollowed) return (await run(signal)).answer;
    const ended = await runCallAsTask<EndedCall>({
      // A client that requested a task expects a task.
      mode: isLegacyTask ? 'required' : mode,
      taskStore,
      owner: ownerOf(context),
      signal,
      canBecomeTask: () => caller.opened?.isAsking !== true,
      onTask(started) {
        task = started;
        if (isLegacyTask) notifyTaskStatus(server, started);
        caller.open().askThrough((key, question) => started.ask(key, question));
      },
      run,
      end: endTask,
    });
    if (!('resultType' in ended)) return ended.answer;
    if (!isLegacyTask) return ended;
    const { resultType: _resultType, ...head } = ended;
    // The SDK requires content in the result of a call.
    return { content: [], task: toLegacyTask(head) };
  };
}

interface EndedCall {
  readonly result: ToolResult;
  readonly answer: CallToolResult | InputRequiredResult;
}

function first<Item>([item]: readonly [Item, ...unknown[]]): Item {
  return item;
}

/** Creates a function that sends progress notifications to a client that asked for them. */
function createProgressReporter(
  notify: ServerContext['mcpReq']['notify'],
  progressToken: string | number,
  onFailed: (cause: unknown) => void,
): (update: ProgressUpdate) => void {
  const step = createProgressCounter();
  let isReported = false;
  return (update) => {
    notify({ method: 'notifications/progress', params: { progressToken, ...step(update) } }).catch((cause: unknown) => {
      // Reports only the first failure. If the client disconnected, its call is cancelled elsewhere.
      if (!isReported) onFailed(cause);
      isReported = true;
    });
  };
}

/**
 * Checks that the client supports the features that a tool requires.
 *
 * @throws MissingRequiredClientCapabilityError
 */
function refuseWhatIsMissing(requires: readonly string[], session: Session): void {
  const wanted = requires.filter((facility) => askable.has(facility) && session.capabilities?.[facility] === undefined);
  if (wanted.length > 0)
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: Object.fromEntries(wanted.map((facility) => [facility, {}])),
    });
}

/** Ends a task. A host failure becomes a protocol error; any other result is sent as usual. */
function endTask(task: ServedTask, { result, answer }: EndedCall): void {
  if (!result.ok && result.error.fault === 'host') task.fail({ code: -32_603, message: renderForModel(result) });
  else task.complete({ ...answer });
}
