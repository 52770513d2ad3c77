import type { JsonValue } from '../../json/result/json-value.ts';
import type { ExtractOptions, ExtractedCall, RejectedCall } from '../contract/extraction.ts';
import { createLiveArguments, type LiveArguments } from './live-arguments.ts';
import type { LiveCall, MessageSink } from '../message/queue/message-sink.ts';
import { createMessageReader } from '../message/read-message.ts';

/** What a message that is being written turns out to be, bit by bit. */
export type ToolCallStreamEvent =
  /** More of the text, without what stands for calls. */
  | { readonly type: 'text'; readonly text: string }
  /** A call has begun. It will be ended or rejected, under the same `index`; these count from 0. */
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
  /** A call is whole: the record that `extractToolCalls` gives for the whole text. */
  | { readonly type: 'call-ended'; readonly index: number; readonly call: ExtractedCall }
  /**
   * Something that looks like a call is none. `index` when it had begun as one. `text` is the part of the message's text
   * that it stands for, which may be empty.
   */
  | {
      readonly type: 'call-rejected';
      readonly index?: number;
      readonly rejected: RejectedCall;
      readonly text: string;
    };

/** The calls of a message that arrives in pieces. */
export interface ToolCallStream {
  /** Takes the next piece, of any length, and answers what is certain by now. Throws a `TypeError` after `end`. */
  readonly push: (piece: string) => readonly ToolCallStreamEvent[];
  /** Says that nothing more comes, and why if that was not known before. Answers what only the end shows. */
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
