import type { Lease } from '../../contracts/calls/call-queue.ts';
import type { ProgressUpdate } from '../../contracts/tools/progress.ts';
import type { ToolContext, ToolSnapshot, AnyTool } from '../../contracts/tools/tool.ts';
import type { ResolvedFile } from '../../contracts/permission/permission.ts';
import type { ArgumentReport, ToolResult } from '../../contracts/results/result.ts';
import { emitEvent } from '../../events/call-events.ts';
import { notifyListener } from '../../notify-listener.ts';
import type { DispatcherConfig } from '../options/dispatcher-config.ts';
import { copyAndFreeze, copyData } from './copy-data.ts';
import type { CallOptions, GivenCall } from './read-call.ts';

const defaultTimeoutMs = 120_000;

/** The state of one call. */
export class CallRun {
  readonly call: GivenCall;
  readonly options: CallOptions;
  readonly config: DispatcherConfig;
  /** Its place among other calls, in a batch or a queue. */
  lease: Lease | undefined;
  readonly startedAt: number;
  /** True once something was awaited. Until then the time is `startedAt`: reading a clock costs more than most steps. */
  hasWaited = false;
  /** When the body began: waiting for other calls and for a person is not the tool's time. */
  bodyStartedAt: number | undefined = undefined;
  /** Milliseconds since the epoch at which the body times out. */
  deadline: number = Infinity;
  tool: AnyTool | undefined = undefined;
  /** The snapshot that the tool was found in. */
  foundIn: ToolSnapshot | undefined = undefined;
  /** The arguments as received, and from validation on the validated ones: frozen, and the same for everyone to see. */
  args: unknown;
  /** How the arguments were read, where they were not taken as they came. */
  reading: Omit<ArgumentReport, 'value'> | undefined = undefined;
  /** Remarks of the dispatcher that go with the result. */
  advisories: string[] | undefined = undefined;
  /** True once permission was given: from here on `onFailure` of the tool is called. */
  isAllowed = false;
  /** Where the files of the footprint led when the call was allowed. */
  resolved: readonly ResolvedFile[] | undefined = undefined;
  /** What the body returned. */
  returned: unknown = undefined;
  result: ToolResult | undefined = undefined;
  /** False once the result is out: later progress is dropped. */
  isOpen = true;
  /** The body's context; made by `contextOf`. */
  context: ToolContext | undefined = undefined;
  #bodyArgs: unknown = undefined;
  #isTaken = false;
  #controller: AbortController | undefined = undefined;
  #cancelReason: DOMException | undefined = undefined;

  constructor(call: GivenCall, options: CallOptions, config: DispatcherConfig, lease: Lease | undefined) {
    this.call = call;
    this.options = options;
    this.config = config;
    this.lease = lease;
    this.args = call.arguments;
    this.startedAt = config.now();
  }

  /** Freezes validated arguments, which nobody else holds, and copies them for the body. */
  acceptArguments(validated: unknown): void {
    this.#bodyArgs = copyAndFreeze(validated);
    this.#isTaken = false;
    this.args = validated;
  }

  /** The body's own copy of the arguments, which it may change: another one for each attempt. */
  takeBodyArguments(): unknown {
    if (this.#isTaken) return copyData(this.args);
    this.#isTaken = true;
    return this.#bodyArgs;
  }

  get snapshot(): ToolSnapshot {
    return this.options.snapshot ?? this.config.registry.snapshot();
  }

  /** The path of the tool's provider; looked up when it is read, because most rules don't name one. */
  get provider(): string {
    return this.foundIn?.providerFor(this.call.name) ?? '';
  }

  /** How long the tool may take, in milliseconds. */
  get toolTimeoutMs(): number {
    const { timeoutMs } = this.tool!;
    return typeof timeoutMs === 'number' && timeoutMs > 0 ? timeoutMs : defaultTimeoutMs;
  }

  /** True once the caller cancelled the call. */
  get isAborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  get now(): number {
    return this.hasWaited ? this.config.now() : this.startedAt;
  }

  /** The signal of the body; made when it is first read, because most bodies never read it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#cancelReason) this.#controller.abort(this.#cancelReason);
    }
    return this.#controller.signal;
  }

  /** True once the signal was aborted, or would be. */
  get isCancelled(): boolean {
    return this.#cancelReason !== undefined;
  }

  /** Aborts the signal, also one that is read later. */
  cancel(reason: string, isTimeout: boolean): void {
    if (this.#cancelReason) return;
    this.#cancelReason = new DOMException(reason, isTimeout ? 'TimeoutError' : 'AbortError');
    this.#controller?.abort(this.#cancelReason);
  }

  /** Adds a remark that goes to the model with the result. */
  advise(advisory: string): void {
    (this.advisories ??= []).push(advisory);
  }

  progress(update: ProgressUpdate): void {
    if (!this.isOpen) return;
    const { onProgress } = this.options;
    if (onProgress) notifyListener(onProgress, update);
    const { observer, now } = this.config;
    if (observer) emitEvent(observer, this, 'execute_progress', now(), update);
  }
}
