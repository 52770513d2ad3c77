import type { BatchContext, CallContext, CallReading, ToolCall } from '../../contracts/calls/call.ts';
import type { ToolSnapshot } from '../../contracts/tools/tool.ts';
import { hasMethods } from '../../options/is-record.ts';
import { isTimeSpan } from '../../options/option-kinds.ts';
import { describeCause } from '../../describe-cause.ts';
import { copyData } from './copy-data.ts';
import { contextMembers, describeWrongMember } from './context-members.ts';
import { findForeignCall } from './find-foreign-call.ts';

/** A call as it was when it came: every member read once, the arguments copied. */
export interface GivenCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly stopped: 'stop' | 'length' | undefined;
  readonly reading: CallReading | undefined;
  /** Why the call can't be read. */
  readonly problem: string | undefined;
}

/** Objects that arguments may have which a program made: a proxy can make more without end. */
export const maxObjects = 1_000_000;

const risks: ReadonlySet<unknown> = new Set<CallReading['risk']>(['none', 'safe', 'lossy', 'truncated']);

/** Reads a call that code of others made; never throws. A call that names nothing still gets its answer. */
export function readCall(call: unknown): GivenCall {
  let id: unknown;
  let name: unknown;
  try {
    const given = (call ?? {}) as Partial<Record<keyof ToolCall | 'call_id', unknown>>;
    name = given.name;
    id = given.id;
    const { arguments: written, stopped, reading, call_id: otherId } = given;
    const isForeign = (written === undefined || otherId !== undefined) && typeof given === 'object';
    return {
      id: asText(id),
      name: asText(name),
      arguments: typeof written === 'object' ? copyData(written, maxObjects) : written,
      stopped: stopped === undefined || stopped === 'stop' ? stopped : 'length',
      reading: reading === undefined ? undefined : readReading(reading),
      problem: isForeign ? findForeignCall(given) : undefined,
    };
  } catch (cause) {
    const problem = `the call can't be read: ${describeCause(cause)}`;
    return {
      id: asText(id),
      name: asText(name),
      arguments: undefined,
      stopped: undefined,
      reading: undefined,
      problem,
    };
  }
}

/** What is given out of a call, to middleware for one. */
export function toCall({ id, name, arguments: args, stopped, reading }: GivenCall): ToolCall {
  return {
    id,
    name,
    arguments: args,
    ...(stopped === undefined ? {} : { stopped }),
    ...(reading === undefined ? {} : { reading }),
  };
}

/** What is not known of a reading counts as the worst. */
function readReading(given: unknown): CallReading {
  const { risk, complete, repairs } = (given ?? {}) as Partial<Record<keyof CallReading, unknown>>;
  return {
    risk: risks.has(risk) ? (risk as CallReading['risk']) : 'lossy',
    complete: complete === true,
    repairs: Array.isArray(repairs) ? (copyData(repairs) as CallReading['repairs']) : [],
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The context of a call as it was when the call came: what is read of it on the way, every member read once. */
export interface CallOptions {
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

const none: CallOptions = {
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
export function readCallOptions(context: CallContext | BatchContext | null | undefined): CallOptions {
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
      problem: findProblem(snapshot, signal, timeoutMs, queue) ?? findWrongMember(context),
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

/** Finds a member that does not exist or has another type. A member that is undefined or null counts as left out. */
function findWrongMember(context: object): string | undefined {
  if (typeof context !== 'object') return `context is not valid (expected an object, got a ${typeof context})`;
  for (const name of Object.keys(context)) {
    const value: unknown = context[name as keyof typeof context];
    if (value === undefined || value === null || typeof value === contextMembers.get(name)) continue;
    return describeWrongMember(name, value);
  }
  return undefined;
}
