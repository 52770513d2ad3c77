import {
  toolError,
  type FinishReason,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ToolError,
  type Usage,
} from '@haft/core';
import { addUsage } from '../../usage.ts';
import { asModelError } from './model-error.ts';
import { readEvent } from './read-event.ts';
import { watchStream, type StreamBounds } from './stream-watch.ts';

/** A call as it came over the structured channel. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  /** The text that the model wrote. */
  readonly arguments: string;
  /** Whether its end never came. */
  readonly isCut: boolean;
}

/** What one request brought. */
export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly WrittenCall[];
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  /** Set when the stream failed; the rest is what there was before. */
  readonly error?: ToolError;
}

/** Reads one answer to its end, telling of each event. Never throws and always ends: by itself, by abort, or by time. */
export async function readStream(
  model: Model,
  request: ModelRequest,
  bounds: StreamBounds,
  onEvent: (event: ModelEvent) => void,
): Promise<ModelAnswer> {
  const watch = watchStream(bounds);
  const draft = new AnswerDraft();
  let iterator: AsyncIterator<ModelEvent> | undefined;
  let failure: unknown;
  try {
    iterator = model.generate({ ...request, signal: watch.signal })[Symbol.asyncIterator]();
    while (!draft.isFinished) {
      const step = await watch.next(iterator.next());
      if (step.done) break;
      const event = readEvent(step.value);
      if (event === undefined) continue;
      draft.add(event);
      onEvent(event);
    }
  } catch (cause) {
    failure = cause ?? new Error('the model threw nothing');
  }
  watch.end(failure);
  closeIterator(iterator);
  return draft.toAnswer(failure === undefined ? undefined : asModelError(failure));
}

/** A generator that waits inside itself never comes back from `return`, so nobody waits for it. */
function closeIterator(iterator: AsyncIterator<ModelEvent> | undefined): void {
  try {
    Promise.resolve(iterator?.return?.()).catch(() => {});
  } catch {
    // It is left all the same.
  }
}

/** A call while it grows. */
interface CallDraft {
  readonly id: string;
  name: string;
  readonly chunks: string[];
  /** Its arguments, once it has ended. */
  whole: string | undefined;
}

function toWrittenCall({ id, name, chunks, whole }: CallDraft): WrittenCall {
  return { id, name, arguments: whole ?? chunks.join(''), isCut: whole === undefined };
}

/** Of calls that all have one id, the last few are compared with an end. */
const maxCompared = 16;

/** An answer while it grows. */
class AnswerDraft {
  #text = '';
  #reasoning = '';
  #usage: Usage = {};
  #finishReason: FinishReason | undefined;
  /** In the order in which they began. */
  readonly #calls: CallDraft[] = [];
  /** By id, the call that deltas belong to. */
  readonly #latest = new Map<string, CallDraft>();
  /** By id, the calls that have begun and not ended. */
  readonly #open = new Map<string, CallDraft[]>();

  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text':
        this.#text += event.text;
        break;
      case 'reasoning':
        this.#reasoning += event.text;
        break;
      case 'tool-call-start':
        this.#startCall({ id: event.id, name: event.name, chunks: [], whole: undefined });
        break;
      case 'tool-call-delta':
        this.#latest.get(event.id)?.chunks.push(event.text);
        break;
      case 'tool-call':
        this.#endCall(event);
        break;
      case 'usage':
        this.#usage = addUsage(this.#usage, event.usage);
        break;
      case 'finish':
        this.#finishReason = event.reason;
        break;
    }
  }

  #startCall(call: CallDraft): void {
    this.#calls.push(call);
    this.#latest.set(call.id, call);
    const open = this.#open.get(call.id);
    if (open) open.push(call);
    else this.#open.set(call.id, [call]);
  }

  /** Ends the call that began with this id; of several, since vendors repeat ids, the one that it looks like. */
  #endCall({ id, name, arguments: whole }: Extract<ModelEvent, { readonly type: 'tool-call' }>): void {
    const open = this.#open.get(id) ?? [];
    const latest = open.slice(-maxCompared);
    const named = latest.filter((call) => call.name === name);
    const ended = named.find(({ chunks }) => chunks.join('') === whole) ?? named.at(-1) ?? latest.at(-1);
    if (!ended) return void this.#calls.push({ id, name, chunks: [], whole });
    open.splice(open.lastIndexOf(ended), 1);
    Object.assign(ended, { name, whole });
  }

  toAnswer(failure: ToolError | undefined): ModelAnswer {
    const calls = this.#calls.map(toWrittenCall);
    const error = failure ?? (this.#finishReason === 'error' ? refused : undefined);
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      calls: error ? calls.filter((call) => !call.isCut) : calls,
      usage: this.#usage,
      finishReason: this.#finishReason ?? 'unknown',
      ...(error && { error }),
    };
  }
}

const refused = toolError('MODEL_FAILED', 'the model ended its answer with an error');
