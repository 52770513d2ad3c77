import type { Lease } from '../contracts/call-queue.ts';
import type { ProgressUpdate } from '../contracts/context.ts';
import type { ResolvedFile } from '../contracts/permission.ts';
import type { ArgumentReport, ToolResult } from '../contracts/result.ts';
import type { ToolSnapshot } from '../contracts/source.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { maskError } from '../events/mask-result.ts';
import type { ToolEvent, ToolEventAction } from '../events/tool-event.ts';
import { tellListener } from '../tell-listener.ts';
import type { Circumstances } from './circumstances.ts';
import { copyAndFreeze, copyData, freezeData } from './copy-data.ts';
import type { DispatcherParts } from './dispatcher.ts';
import { EventData, type EventExtras } from './event-data.ts';
import type { GivenCall } from './read-call.ts';
import { CallContextView } from './tool-context.ts';

const nothingMore: EventExtras = Object.freeze({});
const notCopied = Symbol('the body may have the arguments themselves');

/** Everything that belongs to one call on its way. */
export class CallRun {
  readonly call: GivenCall;
  readonly circumstances: Circumstances;
  readonly parts: DispatcherParts;
  /** Its place among other calls, where it shares an order with them. */
  lease: Lease | undefined;
  /** The same, when it took that place itself and has to leave it. */
  place: Lease | undefined;
  /** Gives the caller the call's one result. */
  readonly answer: (result: ToolResult) => void;
  readonly startedAt: number;
  /** The step it is at. */
  at = 0;
  /** False as long as it went from step to step without a pause. */
  hasWaited = false;
  /** When the body began: waiting for other calls and for a person is not the tool's time. */
  bodyStartedAt: number | undefined;
  tool: AnyTool | undefined;
  provider = '';
  /** How the arguments were read, where they were not taken as they came. */
  reading: Omit<ArgumentReport, 'value'> | undefined;
  /** Remarks of the dispatcher that go with the result. */
  advisories: string[] | undefined;
  /** Once permission was given: from here on the tool hears of a failure. */
  isAllowed = false;
  /** Where its files led when it was allowed. */
  resolved: readonly ResolvedFile[] | undefined;
  /** What the body gave back. */
  returned: unknown;
  result: ToolResult | undefined;
  /** False once the result is out: later progress is dropped. */
  isOpen = true;
  #arguments: unknown;
  #isFrozen = false;
  #bodyArguments: unknown = notCopied;
  #context: CallContextView | undefined;

  constructor(
    call: GivenCall,
    circumstances: Circumstances,
    parts: DispatcherParts,
    lease: Lease | undefined,
    answer: (result: ToolResult) => void,
  ) {
    this.call = call;
    this.circumstances = circumstances;
    this.parts = parts;
    this.lease = lease;
    this.answer = answer;
    this.#arguments = call.arguments;
    this.startedAt = parts.now();
  }

  /** The arguments as far as they are understood, for the dispatcher's own eyes. */
  get args(): unknown {
    return this.#arguments;
  }

  /** Takes over arguments that nobody else holds. */
  set args(value: unknown) {
    this.#arguments = value;
    this.#isFrozen = false;
    this.#bodyArguments = notCopied;
  }

  /** The arguments for everybody but the body: frozen, so that what is shown, asked about and run is the same. */
  get shownArgs(): unknown {
    if (!this.#isFrozen) {
      if (this.#bodyArguments === notCopied) this.#bodyArguments = copyAndFreeze(this.#arguments);
      else freezeData(this.#arguments);
      this.#isFrozen = true;
    }
    return this.#arguments;
  }

  /** The arguments for the body, which may do with them what it likes. */
  takeArgs(isRepeated: boolean): unknown {
    if (isRepeated) return copyData(this.#arguments);
    // Events and the report are read when the body has already done so.
    if (this.parts.observer || this.reading) this.#keepForBody();
    return this.#bodyArguments === notCopied ? this.#arguments : this.#bodyArguments;
  }

  #keepForBody(): void {
    if (this.#bodyArguments === notCopied) this.#bodyArguments = copyData(this.#arguments);
  }

  /** What the body is given; made once. */
  get context(): CallContextView {
    this.#context ??= new CallContextView(this);
    return this.#context;
  }

  /** Adds a remark that accompanies the result to the model. */
  advise(advisory: string): void {
    (this.advisories ??= []).push(advisory);
  }

  get snapshot(): ToolSnapshot {
    return this.circumstances.snapshot ?? this.parts.registry.snapshot();
  }

  /** True once somebody outside stopped the call. */
  get isAborted(): boolean {
    return this.circumstances.signal?.aborted === true;
  }

  /** Now, as far as the call can tell: as long as nothing was waited for, when it came. A clock costs more than a step. */
  get now(): number {
    return this.hasWaited ? this.parts.now() : this.startedAt;
  }

  /** Tells whoever listens to the call's own signal that it is over. */
  cancel(reason: string, isTimeout: boolean): void {
    this.context.cancel(new DOMException(reason, isTimeout ? 'TimeoutError' : 'AbortError'));
  }

  progress(update: ProgressUpdate): void {
    if (!this.isOpen) return;
    const { onProgress } = this.circumstances;
    if (onProgress) tellListener(onProgress, update);
    if (this.parts.observer) this.emit('execute_progress', this.parts.now(), { progress: update });
  }

  /** Tells the observer. */
  emit(action: ToolEventAction, timestamp: number, more: EventExtras = nothingMore): void {
    const { observer } = this.parts;
    if (!observer) return;
    const data = new EventData(this, more);
    const duration = timestamp - this.startedAt;
    const { result } = more;
    const event =
      action === 'execute_start'
        ? { layer: 'tool', version: 1, action, timestamp, data }
        : !result || result.ok
          ? { layer: 'tool', version: 1, action, timestamp, data, duration }
          : { layer: 'tool', version: 1, action, timestamp, data, duration, error: maskError(result.error) };
    observer(event as ToolEvent);
  }
}
