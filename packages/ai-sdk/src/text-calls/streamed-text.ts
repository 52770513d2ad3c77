import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createToolCallStream, type ExtractedCall, type ToolCallStreamEvent } from '@haft/repair/calls';
import { generateId } from 'ai';
import type { Stopped, TextCallReader } from './text-call-reader.ts';

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { type: Type }>;
type Emit = (part: LanguageModelV4StreamPart) => void;

/** A text of a streamed response. It is sent up to its first call, and the rest when the response ends. */
export class StreamedText {
  readonly #reader: TextCallReader;
  readonly #stream: ReturnType<typeof createToolCallStream>;
  readonly #calls: ExtractedCall[] = [];
  /** Undefined once it is sent. */
  #opening: Part<'text-start'> | undefined;
  #ending: Part<'text-end'> | undefined;
  readonly #id: string;
  #text = '';
  /** Number of characters that are certain to be outside of calls. */
  #certain = 0;
  /** Number of characters sent. */
  #sent = 0;

  constructor(opening: Part<'text-start'>, reader: TextCallReader) {
    this.#opening = opening;
    this.#id = opening.id;
    this.#reader = reader;
    this.#stream = createToolCallStream(reader.options);
  }

  /** Takes more of the text, and sends what cannot be part of a call. */
  push(part: Part<'text-delta'>, emit: Emit): void {
    this.#text += part.delta;
    this.#take(this.#stream.push(part.delta));
    const delta = this.#text.slice(this.#sent, this.#certain);
    // Blanks before a call are not a text.
    if (delta === '' || (this.#opening && delta.trim() === '')) return;
    this.#send({ ...part, delta }, emit);
  }

  /** Keeps the end of the text until the response ends. */
  hold(ending: Part<'text-end'>): void {
    this.#ending = ending;
  }

  /** Sends the rest with its calls. Returns false, and sends nothing, if no call may run. */
  finish(stopped: Stopped, emit: Emit): boolean {
    this.#take(this.#stream.end(stopped));
    const segments = this.#reader.split(this.#text, this.#sent, this.#calls, stopped);
    if (segments === undefined) return false;
    let isOpen = true;
    for (const segment of segments) {
      if (segment.type === 'tool-call') {
        if (isOpen) this.#close(emit);
        isOpen = false;
        emit(segment);
      } else if (isOpen) this.#send({ type: 'text-delta', id: this.#id, delta: segment.text }, emit);
      else {
        const id = generateId();
        emit({ type: 'text-start', id });
        emit({ type: 'text-delta', id, delta: segment.text });
        emit({ type: 'text-end', id });
      }
    }
    return true;
  }

  /** Sends the rest as text. */
  release(emit: Emit): void {
    const delta = this.#text.slice(this.#sent);
    if (delta !== '') this.#send({ type: 'text-delta', id: this.#id, delta }, emit);
    else if (this.#opening) emit(this.#opening);
    if (this.#ending) emit(this.#ending);
  }

  #take(events: readonly ToolCallStreamEvent[]): void {
    for (const event of events) {
      if (event.type === 'call-ended') this.#calls.push(event.call);
      else if ((event.type === 'text' || event.type === 'call-rejected') && this.#calls.length === 0)
        this.#certain += event.text.length;
    }
  }

  #send(part: Part<'text-delta'>, emit: Emit): void {
    if (this.#opening) emit(this.#opening);
    this.#opening = undefined;
    this.#sent += part.delta.length;
    emit(part);
  }

  /** Ends the text before a call. A text that was never opened is left out. */
  #close(emit: Emit): void {
    if (this.#opening === undefined) emit(this.#ending ?? { type: 'text-end', id: this.#id });
  }
}
