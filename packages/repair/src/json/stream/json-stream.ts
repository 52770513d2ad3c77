import { checkArgument, findRepairFault, findStopFault, findTextFault } from '../../options/check-argument.ts';
import { fits } from '../result/inside-wrapper.ts';
import type { JsonValue } from '../result/json-value.ts';
import { defaultSize } from '../document/read-valid-document.ts';
import { repairJson } from '../document/repair-json.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import type { RepairResult } from '../result/repair-result.ts';
import { createShape } from '../result/declared-shape.ts';
import { findStart, type Start } from './find-start.ts';
import { createLive, pathOf, type Live, type StringDelta } from './live-machine.ts';

/** Options of `createJsonStream` in addition to those of `repairJson`. */
export interface JsonStreamOptions extends RepairOptions {
  /**
   * Called within `push` for every chunk of a string as soon as it is certain, and within the first `end` for chunks
   * that only the end decides.
   */
  readonly onDelta?: (delta: StringDelta) => void;
}

/** Parses JSON that arrives in chunks. */
export interface JsonStream {
  /** Parses the next chunk, of any length. Throws a `TypeError` after `end`. */
  readonly push: (chunk: string) => void;
  /**
   * The value so far, or `undefined` before anything was read. It is the same object after every push and grows in
   * place: strings only get longer, and members stay. Only the last number or word may still change, if unquoted text
   * begins like one. After `end`, it is the value of the result, if any.
   */
  readonly value: JsonValue | undefined;
  /** The path of the current or last value: keys and list indices. */
  readonly path: readonly (string | number)[];
  /**
   * Ends the text, with the reason if it is known by now. Returns the same result as `repairJson` for the whole text, every
   * time.
   *
   * @throws TypeError with the code `INVALID_OPTION` for a wrong reason.
   */
  readonly end: (stopped?: 'stop' | 'length') => RepairResult;
}

/**
 * Parses JSON while a model writes it. Each push takes time in proportion to its chunk. `value` is live and never
 * copied. A document that is encoded as a whole (`{\"a\": …`) has no live value before its end. In a text with several
 * values, the first one with any content is shown, provided that it matches the schema, if there is one.
 *
 * @throws TypeError with the code `INVALID_OPTION` for a wrong option.
 */
export function createJsonStream(options: JsonStreamOptions = {}): JsonStream {
  checkArgument(options, 'createJsonStream: options', findRepairFault);
  const parts: string[] = [];
  const shape = createShape(options.schema);
  const limit = options.limits?.size ?? defaultSize;
  let size = 0;
  let result: RepairResult | undefined;
  let live: Live | undefined;
  let shown: JsonValue | undefined;
  let search = { text: '', from: 0, isFirst: true, known: 0 };
  let isOver = false;

  const look = (): void => {
    // Searches again only after much more text has arrived.
    if (search.text.length - search.from > 4_096 && search.text.length < search.known * 1.1) return;
    const start = findStart(search.text, search.from, search.isFirst);
    search.known = search.text.length;
    if (start === 'never') isOver = true;
    else if (typeof start === 'number') skip(start);
    else begin(start);
  };
  const skip = (from: number): void => {
    if (search.isFirst && search.text.length < 2_048) return;
    search = { ...search, text: search.text.slice(Math.max(0, from - 2)), from: Math.min(2, from), isFirst: false };
  };
  const begin = (start: Exclude<Start, string | number>): void => {
    const text = search.text.slice(start.at);
    live = createLive(start.state, options.limits, shape, options.onDelta);
    search = { text: '', from: 0, isFirst: false, known: 0 };
    read(text);
  };
  const read = (chunk: string): void => {
    if (live === undefined) return;
    live.push(chunk);
    const { machine } = live;
    if (machine.root !== undefined) shown = machine.root;
    if (machine.failure !== undefined) isOver = true;
    if (machine.rootEnd === -1) return;
    const root = machine.root ?? {};
    const isEmpty = Object.keys(root).length === 0;
    if (!isEmpty && (shape === undefined || shape.required.length === 0 || fits(root, shape))) {
      isOver = true;
      return;
    }
    search = { text: machine.text.slice(machine.rootEnd), from: 0, isFirst: false, known: 0 };
    live = undefined;
    look();
  };

  return {
    push: (chunk) => {
      if (result !== undefined) throw new TypeError('The stream has ended and accepts no more text');
      checkArgument(chunk, 'push: chunk', findTextFault);
      parts.push(chunk);
      size += chunk.length;
      if (size > limit) isOver = true;
      if (isOver) return;
      if (live !== undefined) {
        read(chunk);
        return;
      }
      search.text += chunk;
      look();
    },
    get value() {
      return result?.ok === true ? result.value : shown;
    },
    get path() {
      return live === undefined ? [] : pathOf(live.machine);
    },
    end: (stopped) => {
      if (result !== undefined) return result;
      if (stopped !== undefined) checkArgument(stopped, 'stopped', findStopFault);
      result = repairJson(parts.join(''), stopped === undefined ? options : { ...options, stopped });
      if (result.ok) live?.reportRest(result.value);
      return result;
    },
  };
}
