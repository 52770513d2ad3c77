import type { ProgressUpdate } from '../contracts/context.ts';
import type { ToolResult } from '../contracts/result.ts';
import { maskArguments, maskResult } from '../events/mask-result.ts';
import type { ToolEventData } from '../events/tool-event.ts';
import type { CallRun } from './call-run.ts';

/** What an event may carry besides the call it is about. */
export interface EventExtras {
  readonly progress?: ProgressUpdate;
  readonly result?: ToolResult;
}

/**
 * The data of one event. Arguments and result are masked when they are read, since most events are only counted; a
 * class, since accessors of its own for every event cost more than the rest of it.
 */
export class EventData implements ToolEventData {
  readonly callId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  readonly parentCallId?: string;
  readonly progress?: ProgressUpdate;
  readonly #args: unknown;
  readonly #result: ToolResult | undefined;

  constructor({ call, circumstances, args }: CallRun, { progress, result }: EventExtras) {
    this.callId = call.id;
    this.name = call.name;
    this.sessionId = circumstances.sessionId;
    this.runId = circumstances.runId;
    this.turn = circumstances.turn;
    this.messageId = circumstances.messageId;
    this.inferenceId = circumstances.inferenceId;
    if (circumstances.parentCallId !== undefined) this.parentCallId = circumstances.parentCallId;
    if (progress) this.progress = progress;
    this.#args = args;
    this.#result = result;
  }

  get args(): unknown {
    return maskArguments(this.#args);
  }

  get result(): ToolResult | undefined {
    return this.#result && maskResult(this.#result);
  }

  /** Everything as plain data, the masked arguments too: what `JSON.stringify` writes. */
  toJSON(): ToolEventData {
    return Object.assign({ args: this.args }, this, this.#result ? { result: this.result } : {});
  }
}
