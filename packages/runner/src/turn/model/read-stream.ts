import {
  toolError,
  type FinishReason,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ToolError,
  type Usage,
} from '@haft/core';
import { showValue } from '@haft/core/options';
import { addUsage } from '../../usage.ts';
import { asModelError } from './model-error.ts';
import { readEvent } from './read-event.ts';
import { watchStream, type StreamBounds } from './stream-watch.ts';

/** A call as received from the structured channel. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  /** The text that the model wrote. */
  readonly arguments: string;
  /** Whether the call never ended. */
  readonly isCut: boolean;
}

/** Result of one request. */
export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly WrittenCall[];
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  /** Set if the stream failed. The other members hold the partial answer. */
  readonly error?: ToolError;
  /** The first value that the model yielded that is not an event. */
  readonly unread?: string;
}

/**
 * Reads one answer to its end and passes each event to `onEvent`. Never throws and always ends: normally, by abort, or
 * by timeout.
 */
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
  let unread: string | undefined;
  try {
    iterator = iterate(model.generate({ ...request, signal: watch.signal }));
    await watch.read(iterator, (value) => {
      const event = readEvent(value);
      if (event === undefined) {
        unread ??= describeUnread(value);
        return true;
      }
      draft.add(event);
      onEvent(event);
      return !draft.isFinished;
    });
  } catch (cause) {
    failure = cause ?? new Error('the model threw undefined');
  }
  watch.end(failure);
  closeIterator(iterator);
  const answer = draft.toAnswer(failure === undefined ? undefined : asModelError(failure));
  return unread === undefined ? answer : { ...answer, unread };
}

/** Starts the stream. A `generate` that is not a generator is a common mistake, so the error shows how to write it. */
function iterate(events: AsyncIterable<ModelEvent>): AsyncIterator<ModelEvent> {
  if (typeof (events as Partial<AsyncIterable<ModelEvent>> | undefined)?.[Symbol.asyncIterator] === 'function')
    return events[Symbol.asyncIterator]();
  Promise.resolve(events).catch(() => {});
  throw new TypeError(
    `generate did not return an async iterable of events (expected async *generate(request) { … }, got ${showValue(events)})`,
  );
}

function describeUnread(value: unknown): string {
  try {
    return showValue((value as { readonly type?: unknown } | null | undefined)?.type ?? value);
  } catch {
    return 'a value that cannot be read';
  }
}

/** Not awaited, because `return` of a waiting generator never settles. */
function closeIterator(iterator: AsyncIterator<ModelEvent> | undefined): void {
  try {
    Promise.resolve(iterator?.return?.()).catch(() => {});
  } catch {
    // Ignores failures to close the stream.
  }
}

/** A call while its deltas arrive. */
interface CallDraft {
  readonly id: string;
  name: string;
  readonly chunks: string[];
  /** The arguments, once complete. */
  whole: string | undefined;
}

function toWrittenCall({ id, name, chunks, whole }: CallDraft): WrittenCall {
  return { id, name, arguments: whole ?? chunks.join(''), isCut: whole === undefined };
}

/** Number of latest calls with the same id that are compared with an end event. */
const maxCompared = 16;

/** An answer while its events arrive. */
class AnswerDraft {
  #text = '';
  #reasoning = '';
  #usage: Usage = {};
  #finishReason: FinishReason | undefined;
  /** In order of their start. */
  readonly #calls: CallDraft[] = [];
  /** The call that receives deltas, by id. */
  readonly #latest = new Map<string, CallDraft>();
  /** Started calls that have not ended, by id. */
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

  /** Ends the call with this id. Vendors reuse ids, so the most similar of several calls is chosen. */
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
