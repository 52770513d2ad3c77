import type { BatchContext, CallContext, CallReading, ToolCall } from '../../contracts/calls/call.ts';
import type { ToolSnapshot } from '../../contracts/tools/tool.ts';
import { hasMethods } from '../../options/is-record.ts';
import { showValue } from '../../options/show-option-value.ts';
import { isTimeSpan } from '../../options/option-kinds.ts';
import { describeCause } from '../../describe-cause.ts';
import { copyData } from './copy-data.ts';
import { contextMembers, describeWrongMember } from './context-members.ts';
import { stoppedKind } from './stopped-kind.ts';

/** A snapshot of a call on arrival: every member is read once and the arguments are copied. */
export interface GivenCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly stopped: 'stop' | 'length' | undefined;
  readonly reading: CallReading | undefined;
  /** Why the call is invalid. */
  readonly problem: string | undefined;
}

/** Maximum number of objects in arguments that a program passes. A proxy can produce objects without end. */
export const maxObjects = 1_000_000;

const risks: ReadonlySet<unknown> = new Set<CallReading['risk']>(['none', 'safe', 'lossy', 'truncated']);

/** Reads an untrusted call. Never throws. A call without a name still gets a result. */
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
      stopped: stopped === 'stop' || stopped === 'length' ? stopped : undefined,
      reading: reading === undefined ? undefined : readReading(reading),
      problem: (isForeign ? findForeignCall(given) : undefined) ?? findWrongStop(stopped),
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

type Members = Readonly<Partial<Record<string, unknown>>>;

/** Names that other frameworks use for the arguments. Without this check, the tool would run without arguments. */
const inPlaceOfArguments = ['input', 'args', 'parameters'];

/**
 * Detects the call format of another framework: a call without `arguments`, or with another ID. Returns a description
 * of the format and of what to write instead. Throws what reading the call throws.
 */
function findForeignCall(call: object): string | undefined {
  const members = call as Members;
  // `id` identifies the output item. Results are matched by `call_id`.
  if (typeof members['call_id'] === 'string' && members['call_id'] !== members['id']) {
    return 'the call has the shape of the OpenAI Responses API; map it to { id: call.call_id, name: call.name, arguments: call.arguments }';
  }
  if (typeof members['name'] !== 'string') {
    if (typeof members['toolName'] === 'string') {
      const given = members['input'] === undefined && members['args'] !== undefined ? 'args' : 'input';
      return `the call has the shape of the AI SDK; map it to { id: call.toolCallId, name: call.toolName, arguments: call.${given} }`;
    }
    if (isNamed(members['function'])) {
      return 'the call has the shape of OpenAI; map it to { id: call.id, name: call.function.name, arguments: call.function.arguments }';
    }
  }
  const found = inPlaceOfArguments.find((key) => members[key] !== undefined);
  return found === undefined
    ? undefined
    : `the call has \`${found}\` instead of \`arguments\`; expected { id, name, arguments }`;
}

function findWrongStop(stopped: unknown): string | undefined {
  const fault = stopped === undefined ? undefined : stoppedKind.findFault(stopped, 'stopped');
  return fault && `${fault.path} ${fault.problem}`;
}

function isNamed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Members)['name'] === 'string';
}

/** Returns the call as passed to user code such as middleware. */
export function toCall({ id, name, arguments: args, stopped, reading }: GivenCall): ToolCall {
  return {
    id,
    name,
    arguments: args,
    ...(stopped === undefined ? {} : { stopped }),
    ...(reading === undefined ? {} : { reading }),
  };
}

/** Unknown values count as the worst case. */
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

/** A snapshot of the call context on arrival: every member is read once. */
export interface CallOptions {
  /** The context that middleware receives. */
  readonly given: CallContext;
  readonly snapshot: ToolSnapshot | undefined;
  /** Whether the snapshot was passed with the call and is therefore what the model was shown. */
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
  readonly onStart: CallContext['onStart'];
  /** Why calls with this context are invalid. */
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
  onStart: undefined,
  problem: undefined,
};

/**
 * Reads the context of a call or a batch. Never throws. If the context is invalid, every call made with it reports the
 * problem.
 */
export function readCallOptions(context: CallContext | BatchContext | null | undefined): CallOptions {
  if (context === undefined || context === null) return none;
  try {
    const { snapshot, signal, timeoutMs, sessionId, runId, turn, messageId, inferenceId, modelName } = context;
    const { session, resources, queue, onProgress, onStart, parentCallId } = context;
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
      onStart,
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
  if (timeoutMs !== undefined && !isTimeSpan(timeoutMs))
    return wrongMember('timeoutMs', 'a number of milliseconds above 0', timeoutMs);
  if (signal !== undefined && !hasMethods(signal, 'addEventListener', 'removeEventListener')) {
    return wrongMember('signal', 'an AbortSignal', signal);
  }
  // Almost every call passes a snapshot, so this check must be fast.
  if (snapshot !== undefined && typeof snapshot?.get !== 'function') {
    return wrongMember('snapshot', 'a ToolSnapshot, such as dispatcher.snapshot()', snapshot);
  }
  if (queue !== undefined && !hasMethods(queue, 'enter'))
    return wrongMember('queue', 'a queue of createCallQueue', queue);
  return undefined;
}

function wrongMember(name: string, expected: string, value: unknown): string {
  return `context.${name} is not valid (expected ${expected}, got ${showValue(value, name)})`;
}

/** Finds an unknown member or one with the wrong type. Ignores members that are undefined or null. */
function findWrongMember(context: object): string | undefined {
  if (typeof context !== 'object') return `context is not valid (expected an object, got a ${typeof context})`;
  for (const name in context) {
    // Already checked, and part of almost every context.
    if (name === 'snapshot') continue;
    const value: unknown = context[name as keyof typeof context];
    if (value === undefined || value === null || typeof value === contextMembers.get(name)) continue;
    return describeWrongMember(name, value);
  }
  return undefined;
}
