import type { ProgressUpdate } from '../contracts/context.ts';
import type { ToolResult } from '../contracts/result.ts';
import { redactSecrets } from '../events/redact-secrets.ts';
import type { ToolEventData } from '../events/tool-event.ts';
import type { CallRun } from './call-run.ts';

/** What an event may carry besides the call it is about. */
export interface EventExtras {
  readonly progress?: ProgressUpdate;
  readonly result?: ToolResult;
}

/**
 * The data of one event. The arguments are masked when they are read, since most events are only counted; a class,
 * since an accessor of its own for every event costs more than the rest of it.
 */
export class EventData implements ToolEventData {
  readonly callId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  readonly progress?: ProgressUpdate;
  readonly result?: ToolResult;
  readonly #args: unknown;

  constructor({ call, circumstances, args }: CallRun, { progress, result }: EventExtras) {
    this.callId = call.id;
    this.name = call.name;
    this.sessionId = circumstances.sessionId ?? '';
    this.runId = circumstances.runId ?? '';
    this.turn = circumstances.turn ?? 0;
    this.messageId = circumstances.messageId ?? '';
    this.inferenceId = circumstances.inferenceId ?? '';
    if (progress) this.progress = progress;
    if (result) this.result = result;
    this.#args = args;
  }

  get args(): unknown {
    return redactSecrets(this.#args);
  }

  /** Everything as plain data, the masked arguments too: what `JSON.stringify` writes. */
  toJSON(): ToolEventData {
    return Object.assign({ args: this.args }, this);
  }
}
