import type { IssueLocale } from '@haft/schema';
import type { Lease } from '../../contracts/calls/call-queue.ts';
import type { ProgressUpdate } from '../../contracts/tools/progress.ts';
import type { ToolContext, ToolSnapshot, AnyTool } from '../../contracts/tools/tool.ts';
import type { ResolvedFile } from '../../contracts/permission/permission.ts';
import type { ToolError } from '../../contracts/results/error.ts';
import type { ArgumentReport, ToolFailure, ToolResult, ToolSuccess } from '../../contracts/results/result.ts';
import { emitEvent } from '../../events/call-events.ts';
import { notifyListener } from '../../notify-listener.ts';
import type { DispatcherConfig } from '../options/dispatcher-config.ts';
import { copyData, freezeData } from './copy-data.ts';
import { cutMiddle } from './cut-middle.ts';
import { maxObjects, type CallOptions, type GivenCall } from './read-call.ts';

const defaultTimeoutMs = 120_000;

type Writable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

/** The state of one call. */
export class CallRun {
  readonly call: GivenCall;
  readonly options: CallOptions;
  readonly config: DispatcherConfig;
  /** The position of the call in a batch or a queue. */
  lease: Lease | undefined;
  readonly startedAt: number;
  /**
   * True after the first await. Until then, `startedAt` serves as the current time, because reading a clock costs more
   * than most steps.
   */
  hasWaited = false;
  /** When the body started. The duration excludes the time spent waiting for other calls and for a person. */
  bodyStartedAt: number | undefined = undefined;
  /** When the body times out, in milliseconds since the epoch. */
  deadline: number = Infinity;
  tool: AnyTool | undefined = undefined;
  /** The snapshot in which the tool was found. */
  foundIn: ToolSnapshot | undefined = undefined;
  /** How the arguments were parsed, if they were not used unchanged. */
  reading: Omit<ArgumentReport, 'value'> | undefined = undefined;
  /** Notes of the dispatcher for the result. */
  advisories: string[] | undefined = undefined;
  /** True after permission is granted. From then on, a failure calls the tool's `onFailure`. */
  isAllowed = false;
  /** Real paths of the footprint's files when the call was allowed. */
  resolved: readonly ResolvedFile[] | undefined = undefined;
  /** The return value of the body. */
  returned: unknown = undefined;
  result: ToolResult | undefined = undefined;
  /** False after the result is returned. Later progress updates are dropped. */
  isOpen = true;
  /** The context of the body. Created by `contextOf`. */
  context: ToolContext | undefined = undefined;
  #args: unknown;
  #isFrozen = true;
  #bodyArgs: unknown = undefined;
  #isTaken = false;
  #controller: AbortController | undefined = undefined;
  #cancelReason: DOMException | undefined = undefined;

  constructor(call: GivenCall, options: CallOptions, config: DispatcherConfig, lease: Lease | undefined) {
    this.call = call;
    this.options = options;
    this.config = config;
    this.lease = lease;
    this.#args = call.arguments;
    this.startedAt = config.now();
  }

  /**
   * The arguments as received, and the validated arguments after validation. Validated arguments are shared, so they are
   * frozen when they are first read: freezing costs more than most steps, and few calls need it.
   */
  get args(): unknown {
    if (!this.#isFrozen) freezeData(this.#args);
    this.#isFrozen = true;
    return this.#args;
  }

  set args(value: unknown) {
    this.#args = value;
    this.#isFrozen = true;
  }

  /** The same arguments for code that only copies them. */
  get argsToCopy(): unknown {
    return this.#args;
  }

  /** Accepts the validated arguments, which have no other references, and copies them for the body. */
  acceptArguments(validated: unknown): void {
    this.#args = validated;
    this.#isFrozen = false;
    this.#bodyArgs = copyData(validated, maxObjects);
    this.#isTaken = false;
  }

  /** Returns a mutable copy of the arguments for the body. Each attempt gets a new copy. */
  takeBodyArguments(): unknown {
    if (this.#isTaken) return copyData(this.#args);
    this.#isTaken = true;
    return this.#bodyArgs;
  }

  get snapshot(): ToolSnapshot {
    return this.options.snapshot ?? this.config.registry.snapshot();
  }

  /** Provider path of the tool. Looked up lazily, because most rules do not use it. */
  get provider(): string {
    return this.foundIn?.providerFor(this.call.name) ?? '';
  }

  /** Timeout of the call, or else of its tool, in milliseconds. Limits the body, and each other step of the tool. */
  get timeoutMs(): number {
    if (this.options.timeoutMs !== undefined) return this.options.timeoutMs;
    const { timeoutMs } = this.tool!;
    return typeof timeoutMs === 'number' && timeoutMs > 0 ? timeoutMs : defaultTimeoutMs;
  }

  /** True if the caller cancelled the call. */
  get isAborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  /** True if a second run of the body has no further effect. */
  get isRepeatable(): boolean {
    const { readOnly, idempotent } = this.tool!.traits;
    return readOnly || (idempotent === 'by-key' ? this.options.given.idempotencyKey !== undefined : idempotent);
  }

  get now(): number {
    return this.hasWaited ? this.config.now() : this.startedAt;
  }

  /** The abort signal of the body. Created lazily, because most bodies never read it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#cancelReason) this.#controller.abort(this.#cancelReason);
    }
    return this.#controller.signal;
  }

  /** True if the signal is aborted, or would be if it existed. */
  get isCancelled(): boolean {
    return this.#cancelReason !== undefined;
  }

  /** Aborts the signal, even if it has not been created yet. */
  cancel(reason: string, isTimeout: boolean): void {
    if (this.#cancelReason) return;
    this.#cancelReason = new DOMException(reason, isTimeout ? 'TimeoutError' : 'AbortError');
    this.#controller?.abort(this.#cancelReason);
  }

  /** Adds a note for the model to the result. */
  advise(advisory: string): void {
    (this.advisories ??= []).push(advisory);
  }

  /** Adds the name, the times and the arguments. Mutates the result, which has no other references yet. */
  identify<Result extends Writable<ToolSuccess> | Writable<ToolFailure>>(result: Result, endedAt: number): Result {
    result.name = this.call.name;
    result.startedAt = this.bodyStartedAt ?? this.startedAt;
    result.durationMs = endedAt - result.startedAt;
    if (this.reading) result.arguments = { value: this.args, ...this.reading };
    return result;
  }

  /** Adds all members that only the dispatcher knows, once per call. Mutates the result. */
  complete(result: Writable<ToolSuccess> | Writable<ToolFailure>, endedAt: number): ToolResult {
    const { advisories, config } = this;
    this.identify(result, endedAt);
    if (advisories) result.advisories = [...result.advisories, ...advisories];
    if (!result.ok) result.error = boundError(localise(result.error, config.locale), config.maxResultCharacters);
    return result;
  }

  progress(update: ProgressUpdate): void {
    if (!this.isOpen) return;
    const { onProgress } = this.options;
    if (onProgress) notifyListener(onProgress, update);
    const { observer, now } = this.config;
    if (observer) emitEvent(observer, this, 'execute_progress', now(), update);
  }
}

/** Sets the language of the issues. */
function localise(error: ToolError, locale: IssueLocale | undefined): ToolError {
  return locale === undefined || error.issues === undefined || error.locale !== undefined
    ? error
    : { ...error, locale };
}

/** Limits the length of an error. */
function boundError(error: ToolError, limit: number): ToolError {
  const { message, hint } = error;
  if (message.length <= limit && (hint === undefined || hint.length <= limit)) return error;
  return {
    ...error,
    message: cutMiddle(message, limit),
    ...(hint === undefined ? {} : { hint: cutMiddle(hint, limit) }),
  };
}
