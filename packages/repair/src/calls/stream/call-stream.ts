import { checkArgument, findStopFault, findTextFault } from '../../options/check-argument.ts';
import type { JsonValue } from '../../json/result/json-value.ts';
import type { ExtractedCall, ExtractOptions, RejectedCall } from '../contract/extraction.ts';
import type { LiveCall, MessageSink } from '../message/queue/message-sink.ts';
import { createMessageReader } from '../message/read-message.ts';
import { fateOfKey } from '../settle/fit-arguments.ts';
import { createLiveArguments, type LiveArguments } from './live-arguments.ts';

/** An event of a message that is still being written. */
export type ToolCallStreamEvent =
  /** More of the text, without calls. */
  | { readonly type: 'text'; readonly text: string }
  /** A call has started. It ends or is rejected under the same `index`, which counts from 0. */
  | { readonly type: 'call-started'; readonly index: number; readonly name: string }
  /**
   * More of a call's arguments. The joined deltas of a call that ends are the JSON of its arguments. If they contain a
   * member twice, the last one counts, as with `JSON.parse`. `value` contains the arguments so far, and is the same
   * object each time. If the arguments are damaged, `value` continues while `delta` is empty, and may differ from the
   * final arguments.
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

/** Reads the calls of a message that arrives in chunks. */
export interface ToolCallStream {
  /** Takes the next chunk, of any length, and returns the events that are now certain. Throws a `TypeError` after `end`. */
  readonly push: (chunk: string) => readonly ToolCallStreamEvent[];
  /** Ends the message, with the reason if it was not known before. Returns the events that depended on the end. */
  readonly end: (stopped?: 'stop' | 'length') => readonly ToolCallStreamEvent[];
}

interface ShownCall extends LiveCall {
  readonly index: number;
  readonly watch: LiveArguments;
}

/**
 * Reads the calls in the text of a model while it is written. For any chunks, the calls, the text and the rejections
 * are those that `extractToolCalls` finds in the whole text. Each push takes time in proportion to its chunk.
 *
 * Text is held back only while it may be part of a call, which is decided within the length of an opener. Four
 * decisions come later:
 *
 * - A bare call (without an envelope) counts only at the end of the message.
 * - A code fence counts only if it is the only one with calls.
 * - A call in reasoning counts only if the reasoning never ends.
 * - A call may turn out to be in reasoning without an opening tag. It is shown while it is written, but its end and the
 * following text are reported when the message ends or the end of the reasoning was found. Set `startsInReasoning:
 * false` if this can't happen.
 */
export function createToolCallStream(options: ExtractOptions): ToolCallStream {
  let events: ToolCallStreamEvent[] = [];
  let count = 0;
  let isEnded = false;

  const begin = (name: string): ShownCall => {
    const index = count;
    count += 1;
    events.push({ type: 'call-started', index, name });
    const tool = options.tools.find((one) => one.name === name);
    const watch = createLiveArguments(
      options.limits,
      (key) => fateOfKey(tool, key),
      (delta, value) => {
        events.push({ type: 'call-arguments', index, delta, value });
      },
    );
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
    push: (chunk) => {
      if (isEnded) throw new TypeError('The stream has ended and accepts no more text');
      checkArgument(chunk, 'push: chunk', findTextFault);
      reader.push(chunk);
      return take();
    },
    end: (stopped) => {
      if (stopped !== undefined) checkArgument(stopped, 'stopped', findStopFault);
      if (!isEnded) reader.end(stopped);
      isEnded = true;
      return take();
    },
  };
}
