import type { CallContext, ToolCall, ToolSnapshot } from '../contracts/source.ts';
import type { ProgressUpdate } from '../contracts/context.ts';
import type { ResolvedFile } from '../contracts/permission.ts';
import type { ArgumentReport } from '../contracts/result.ts';
import type { AnyTool } from '../contracts/tool.ts';
import type { ToolEventAction } from '../events/tool-event.ts';
import type { DispatcherParts } from './dispatcher.ts';
import { EventData, type EventExtras } from './event-data.ts';
import { CallContextView } from './tool-context.ts';

const nothingMore: EventExtras = Object.freeze({});

/** Everything that belongs to one call on its way. */
export class CallRun {
  readonly call: ToolCall;
  readonly circumstances: CallContext;
  readonly parts: DispatcherParts;
  readonly startedAt: number;
  /** When the body began: waiting for other calls and for a person is not the tool's time. */
  bodyStartedAt: number | undefined;
  tool: AnyTool | undefined;
  provider = '';
  /** The arguments as far as they are understood. */
  args: unknown;
  report: ArgumentReport | undefined;
  /** Where its files led when it was allowed. */
  resolved: readonly ResolvedFile[] | undefined;
  readonly advisories: string[] = [];
  /** False once the result is out: later progress is dropped. */
  open = true;
  #context: CallContextView | undefined;

  constructor(call: ToolCall, circumstances: CallContext, parts: DispatcherParts) {
    this.call = call;
    this.circumstances = circumstances;
    this.parts = parts;
    this.args = call.arguments;
    this.startedAt = parts.workspace.now();
  }

  /** What the body is given; made once. */
  get context(): CallContextView {
    this.#context ??= new CallContextView(this);
    return this.#context;
  }

  get snapshot(): ToolSnapshot {
    return this.circumstances.snapshot ?? this.parts.registry.snapshot();
  }

  /** True once somebody outside stopped the call. */
  get isAborted(): boolean {
    return this.circumstances.signal?.aborted === true;
  }

  progress(update: ProgressUpdate): void {
    if (!this.open) return;
    try {
      dropRejection(this.circumstances.onProgress?.(update));
    } catch {
      // A listener's failure is its own.
    }
    this.emit('execute_progress', { progress: update });
  }

  /** Tells the observer; what it throws is dropped. */
  emit(action: ToolEventAction, more: EventExtras = nothingMore): void {
    const { observer, workspace } = this.parts;
    if (!observer) return;
    const timestamp = workspace.now();
    const { result } = more;
    try {
      dropRejection(
        observer({
          layer: 'tool',
          action,
          timestamp,
          data: new EventData(this, more),
          ...(action === 'execute_start' ? {} : { duration: timestamp - this.startedAt }),
          ...(result && !result.ok ? { error: result.error } : {}),
        }),
      );
    } catch {
      // An observer can't break a call.
    }
  }
}

/** A listener may be asynchronous although nobody waits for it: its failure is its own, too. */
function dropRejection(returned: unknown): void {
  if (returned instanceof Promise) returned.catch(() => undefined);
}
