import type { BatchContext, CallContext, ToolSnapshot } from '../contracts/source.ts';
import { hasMethods, isTimeSpan } from '../check-option.ts';
import { describeCause } from '../describe-cause.ts';

/** The context of a call as it was when the call came: what is read of it on the way, every member read once. */
export interface Circumstances {
  /** What middleware is shown. */
  readonly given: CallContext;
  readonly snapshot: ToolSnapshot | undefined;
  /** Whether the snapshot came with the call, and so is what the model was shown. */
  readonly isShown: boolean;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  readonly parentCallId: string | undefined;
  readonly modelName: string;
  readonly session: CallContext['session'];
  readonly resources: CallContext['resources'];
  readonly queue: CallContext['queue'];
  readonly onProgress: CallContext['onProgress'];
  /** Why no call can be made with it. */
  readonly problem: string | undefined;
}

const noContext: CallContext = Object.freeze({});

const none: Circumstances = {
  given: noContext,
  snapshot: undefined,
  isShown: false,
  signal: undefined,
  timeoutMs: undefined,
  sessionId: '',
  runId: '',
  turn: 0,
  messageId: '',
  inferenceId: '',
  parentCallId: undefined,
  modelName: '',
  session: undefined,
  resources: undefined,
  queue: undefined,
  onProgress: undefined,
  problem: undefined,
};

/** Reads the context of a call or of a batch; never throws. What can't be used is told by every call made with it. */
export function readCircumstances(context: CallContext | BatchContext | null | undefined): Circumstances {
  if (context === undefined || context === null) return none;
  try {
    const { snapshot, signal, timeoutMs, sessionId, runId, turn, messageId, inferenceId, modelName } = context;
    const { session, resources, queue, onProgress, parentCallId } = context;
    return {
      given: context,
      snapshot,
      isShown: snapshot !== undefined,
      signal,
      timeoutMs,
      sessionId: sessionId ?? '',
      runId: runId ?? '',
      turn: turn ?? 0,
      messageId: messageId ?? '',
      inferenceId: inferenceId ?? '',
      parentCallId,
      modelName: modelName ?? '',
      session,
      resources,
      queue,
      onProgress,
      problem: findProblem(snapshot, signal, timeoutMs, queue),
    };
  } catch (cause) {
    return { ...none, problem: `its context can't be read: ${describeCause(cause)}` };
  }
}

function findProblem(
  snapshot: ToolSnapshot | null | undefined,
  signal: unknown,
  timeoutMs: unknown,
  queue: unknown,
): string | undefined {
  if (timeoutMs !== undefined && !isTimeSpan(timeoutMs)) return 'timeoutMs must be a number of milliseconds above 0';
  if (signal !== undefined && !hasMethods(signal, 'addEventListener', 'removeEventListener')) {
    return 'signal must be an AbortSignal';
  }
  // Nearly every call brings one, so that the short way is taken.
  if (snapshot !== undefined && typeof snapshot?.get !== 'function') {
    return 'snapshot must be a ToolSnapshot';
  }
  if (queue !== undefined && !hasMethods(queue, 'enter')) return 'queue must be made by createCallQueue';
  return undefined;
}
