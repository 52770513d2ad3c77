import {
  toolError,
  type FinishReason,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ToolError,
  type Usage,
} from '@haft/core';
import { addUsage } from '../usage.ts';
import { asModelError } from './model-error.ts';
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
  hear: (event: ModelEvent) => void,
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
      draft.add(step.value);
      hear(step.value);
    }
  } catch (cause) {
    failure = cause ?? new Error('the model threw nothing');
  }
  watch.end(failure);
  // A generator that waits inside itself never comes back from `return`, so nobody waits for it.
  if (iterator?.return) Promise.resolve(iterator.return()).catch(() => {});
  return draft.toAnswer(failure === undefined ? undefined : asModelError(failure));
}

/** An answer while it grows. */
class AnswerDraft {
  #text = '';
  #reasoning = '';
  #usage: Usage = {};
  #finishReason: FinishReason | undefined;
  readonly #whole: WrittenCall[] = [];
  /** Calls that have begun and not ended. */
  readonly #begun = new Map<string, { readonly name: string; readonly pieces: string[] }>();

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
        this.#begun.set(event.id, { name: event.name, pieces: [] });
        break;
      case 'tool-call-delta':
        this.#begun.get(event.id)?.pieces.push(event.text);
        break;
      case 'tool-call':
        this.#begun.delete(event.id);
        this.#whole.push({ id: event.id, name: event.name, arguments: event.arguments, isCut: false });
        break;
      case 'usage':
        this.#usage = addUsage(this.#usage, event.usage);
        break;
      case 'finish':
        this.#finishReason = event.reason;
        break;
    }
  }

  toAnswer(failure: ToolError | undefined): ModelAnswer {
    const cut = [...this.#begun].map(([id, { name, pieces }]) => ({
      id,
      name,
      arguments: pieces.join(''),
      isCut: true,
    }));
    const error = failure ?? (this.#finishReason === 'error' ? refused : undefined);
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      calls: error ? this.#whole : [...this.#whole, ...cut],
      usage: this.#usage,
      finishReason: this.#finishReason ?? 'unknown',
      ...(error && { error }),
    };
  }
}

const refused = toolError('MODEL_FAILED', 'the model ended its answer with an error');
