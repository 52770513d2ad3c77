import type { JsonValue } from '../../json/result/json-value.ts';
import type { ExtractedCall, ExtractOptions, RejectedCall } from '../contract/extraction.ts';
import type { LiveCall, MessageSink } from '../message/queue/message-sink.ts';
import { createMessageReader } from '../message/read-message.ts';
import { createLiveArguments, type LiveArguments } from './live-arguments.ts';

/** An event of a message that is still being written. */
export type ToolCallStreamEvent =
  /** More of the text, without calls. */
  | { readonly type: 'text'; readonly text: string }
  /** A call has started. It ends or is rejected under the same `index`, which counts from 0. */
  | { readonly type: 'call-started'; readonly index: number; readonly name: string }
  /**
   * More of a call's arguments. The deltas of a call that ends, joined, are the JSON of its arguments; where a member stands
   * in it twice, the last one counts, as with `JSON.parse`. `value` is what there is of them, the same object each time.
   * Where the arguments are damaged, `value` goes on while `delta` is empty, and may differ from what they turn out to be.
   */
  | {
      readonly type: 'call-arguments';
      readonly index: number;
      readonly delta: string;
      readonly value: JsonValue | undefined;
    }
  /** A call has ended. `call` is the record that `extractToolCalls` returns for the whole text. */
  | { readonly type: 'call-ended'; readonly index: number; readonly call: ExtractedCall }
  /**
   * Text that looks like a call does not count as one. `index` is set if it had started as a call. `text` is its part of
   * the text of the message, which may be empty.
   */
  | {
      readonly type: 'call-rejected';
      readonly index?: number;
      readonly rejected: RejectedCall;
      readonly text: string;
    };

/** Reads the calls of a message that arrives in pieces. */
export interface ToolCallStream {
  /** Takes the next piece, of any length, and returns the events that are now certain. Throws a `TypeError` after `end`. */
  readonly push: (piece: string) => readonly ToolCallStreamEvent[];
  /** Ends the message, with the reason if it was not known before. Returns the events that depended on the end. */
  readonly end: (stopped?: 'stop' | 'length') => readonly ToolCallStreamEvent[];
}

interface ShownCall extends LiveCall {
  readonly index: number;
  readonly watch: LiveArguments;
}

/**
 * Reads the calls that a model writes into its text while it writes them. However the text is cut into pieces, the calls,
 * the text and what is rejected are those that `extractToolCalls` finds in the whole. Each push costs what it adds.
 *
 * Text is held back only while it may be part of a call: no longer than an opener takes to be told from text. Four things
 * are known only later. A call with nothing around it counts where it ends the message, a code fence only as long as it is
 * the only one with calls in it, and what stands in reasoning only if that never ends: they wait for that. And a call may
 * turn out to stand in reasoning whose opening tag is missing: it is shown while it is written, but whether it is one, and
 * what text follows, is told when the message ends or such reasoning has come. Say `startsInReasoning: false` where it
 * cannot come.
 */
export function createToolCallStream(options: ExtractOptions): ToolCallStream {
  let events: ToolCallStreamEvent[] = [];
  let count = 0;
  let isEnded = false;

  const begin = (name: string): ShownCall => {
    const index = count;
    count += 1;
    events.push({ type: 'call-started', index, name });
    const watch = createLiveArguments(options.limits, (delta, value) => {
      events.push({ type: 'call-arguments', index, delta, value });
    });
    return { name, index, watch };
  };
  const addText = (text: string): void => {
    const last = events.at(-1);
    if (last?.type === 'text') events[events.length - 1] = { type: 'text', text: last.text + text };
    else if (text !== '') events.push({ type: 'text', text });
  };
  const sink: MessageSink = {
    text: addText,
    begin,
    call: (call, live) => {
      const shown = (live as ShownCall | undefined) ?? begin(call.name);
      const { index, watch } = shown;
      const delta = watch.finish(call.arguments);
      if (delta !== '') events.push({ type: 'call-arguments', index, delta, value: call.arguments });
      events.push({ type: 'call-ended', index, call });
    },
    rejected: (rejected, text, live) => {
      const shown = live as ShownCall | undefined;
      events.push({ type: 'call-rejected', ...(shown && { index: shown.index }), rejected, text });
    },
  };
  const reader = createMessageReader(options, sink);
  const take = (): readonly ToolCallStreamEvent[] => {
    const taken = events;
    events = [];
    return taken;
  };
  return {
    push: (piece) => {
      if (isEnded) throw new TypeError('The stream has ended; nothing can be pushed any more');
      reader.push(piece);
      return take();
    },
    end: (stopped) => {
      if (!isEnded) reader.end(stopped);
      isEnded = true;
      return take();
    },
  };
}
