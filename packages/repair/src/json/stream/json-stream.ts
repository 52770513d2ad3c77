import { fits } from '../result/envelope.ts';
import type { JsonValue } from '../result/json-value.ts';
import { advance } from '../states/steps.ts';
import { createMachine, type Machine } from '../machine/machine.ts';
import { formState, toMachineLimits } from '../document/read-value.ts';
import { repairJson } from '../document/repair-json.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import type { RepairResult } from '../result/repair-result.ts';
import { toShape } from '../result/shape.ts';
import { findStart, searchedTo, type Start } from './find-start.ts';
import { place, replace, takeCertain, unplace } from './live-string.ts';
import { createPlainString, isPlain, type PlainString } from './plain-string.ts';
import { createWindow, type Window } from './window.ts';

/** More of a string value. All texts of one path, joined, are that string. */
export interface StringDelta {
  /** Where it stands: keys and list indices from the root. */
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** What `createJsonStream` can be told beside what `repairJson` can. */
export interface JsonStreamOptions extends RepairOptions {
  /**
   * Called within `push` for every piece by which a string grows, as soon as the piece is certain; within the first `end` for
   * what only the end settles.
   */
  readonly onDelta?: (delta: StringDelta) => void;
}

/** JSON that arrives in pieces. */
export interface JsonStream {
  /** Takes the next piece, of any length. Throws a `TypeError` after `end`. */
  readonly push: (chunk: string) => void;
  /**
   * What has been read so far, or `undefined` before anything has. It is the same object from push to push and grows in
   * place: strings only get longer, and members stay. Only the last number or word may still become another, where text
   * without quotes begins like one. After `end` it is the value of the result, if there is one.
   */
  readonly value: JsonValue | undefined;
  /** Where the stream is: the keys and list indices that lead to the value being read, or read last. */
  readonly path: readonly (string | number)[];
  /** Says that nothing more comes. Answers exactly what `repairJson` answers for the whole text, every time. */
  readonly end: () => RepairResult;
}

interface Leaf {
  readonly container: unknown;
  readonly key: string | number;
  shown: number;
}

/**
 * Reads JSON while a model writes it. Each push costs what it adds, whatever came before; `value` is live and never
 * copied. A document encoded as a whole (`{\"a\": …`) has no live value before its end; in a text with several values
 * the first that holds anything, and suits the schema if there is one, is shown.
 */
export function createJsonStream(options: JsonStreamOptions = {}): JsonStream {
  const parts: string[] = [];
  const shape = toShape(options);
  const limit = options.limits?.size ?? Number.POSITIVE_INFINITY;
  let size = 0;
  let result: RepairResult | undefined;
  let live: Live | undefined;
  let shown: JsonValue | undefined;
  let search = { text: '', from: 0, isFirst: true, known: 0 };
  let isOver = false;

  const look = (): void => {
    // Looking again is worth it only once there is a good deal more than there was.
    if (search.text.length - search.from > 4_096 && search.text.length < search.known * 1.1) return;
    const start = findStart(search.text, search.from, search.isFirst);
    search.known = search.text.length;
    if (start === 'never') isOver = true;
    else if (start === 'later') skip();
    else begin(start);
  };
  const skip = (): void => {
    if (search.isFirst && search.text.length < 2_048) return;
    const from = searchedTo(search.text, search.from);
    search = { ...search, text: search.text.slice(Math.max(0, from - 2)), from: Math.min(2, from), isFirst: false };
  };
  const begin = (start: Exclude<Start, string>): void => {
    const machine = createMachine({
      text: search.text.slice(start.at),
      at: 0,
      ended: false,
      state: formState(start.form),
      stopped: false,
      limits: { ...toMachineLimits(options.limits), repairs: 0, duplicateKeys: 'last', unsafeIntegers: 'round' },
      shape,
    });
    live = createLive(machine, options.onDelta);
    search = { text: '', from: 0, isFirst: false, known: 0 };
    read('');
  };
  const read = (chunk: string): void => {
    if (live === undefined) return;
    live.push(chunk);
    const { machine } = live;
    if (machine.root !== undefined) shown = machine.root;
    if (machine.failure !== undefined) isOver = true;
    if (machine.rootEnd === -1) return;
    const { root = null } = machine;
    const isEmpty = typeof root !== 'object' || root === null || Object.keys(root).length === 0;
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
      if (result !== undefined) throw new TypeError('The stream has ended; nothing can be pushed any more');
      parts.push(chunk);
      size += chunk.length;
      if (size > limit) isOver = true;
      if (isOver || chunk === '') return;
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
    end: () => {
      if (result !== undefined) return result;
      result = repairJson(parts.join(''), options);
      if (result.ok) live?.settle(result.value);
      return result;
    },
  };
}

/** A machine whose text arrives in pieces. */
export interface Live {
  readonly machine: Machine;
  readonly push: (chunk: string) => void;
  /** Tells what was still open of the string at the cursor, by what the whole came to. */
  readonly settle: (whole: JsonValue) => void;
}

/** Runs a machine over pieces of text, at the cost of what each adds. */
export function createLive(machine: Machine, onDelta: JsonStreamOptions['onDelta']): Live {
  const window: Window = createWindow(machine);
  let leaf: Leaf | undefined;
  let isPlaced = false;
  let seen = -1;
  let waiting = { at: -1, length: 0 };
  let plain: PlainString | undefined;

  /** Tells what is new in a part of the string at the cursor, which begins at an offset of it. */
  const emit = (part: string, offset: number): void => {
    if (onDelta === undefined) return;
    const { container, key } = leafOf(machine);
    if (leaf === undefined || leaf.container !== container || leaf.key !== key) leaf = { container, key, shown: 0 };
    const added = part.slice(Math.max(0, leaf.shown - offset));
    leaf.shown += added.length;
    if (added !== '') onDelta({ path: pathOf(machine), text: added });
  };
  const afterStep = (): void => {
    window.restore();
    if (machine.last !== 'string' || machine.lastStart === seen) return;
    seen = machine.lastStart;
    emit(lastString(machine), 0);
  };
  const show = (): void => {
    const { token } = machine;
    isPlaced = token?.role === 'value' && machine.frame !== undefined && machine.failure === undefined;
    if (token === undefined || !isPlaced) return;
    const offset = token.head.length;
    const part = takeCertain(machine, token);
    place(machine, token.head);
    // A quote that may end the string settles what stands before it, without being asked.
    if (part === '') emit(token.head, 0);
    else emit(part, offset);
  };

  /** Reads on in a string; `false` when the machine has to. */
  const readStrict = (chunk: string): boolean => {
    const { token } = machine;
    if (plain === undefined || token === undefined) return false;
    const offset = token.head.length;
    const part = plain.take(chunk);
    if (part === undefined) {
      plain.leave();
      plain = undefined;
      return false;
    }
    if (part === '') return true;
    replace(machine, token.head);
    emit(part, offset);
    return true;
  };

  return {
    machine,
    push: (chunk) => {
      if (readStrict(chunk)) return;
      window.add(chunk);
      const ahead = machine.text.length - (machine.token?.at ?? machine.at);
      // What needs to see far ahead is not looked at again before there is a good deal more to see.
      if (waiting.at === machine.at && ahead > 1_024 && ahead < waiting.length * 1.25) return;
      if (isPlaced) unplace(machine);
      advance(machine, afterStep);
      show();
      const before = machine.lastStart;
      window.trim();
      seen += machine.lastStart - before;
      const { token } = machine;
      waiting = { at: machine.at, length: machine.text.length - (token?.at ?? machine.at) };
      if (isPlaced && token !== undefined && isPlain(machine, token)) plain = createPlainString(machine, token);
    },
    settle: (whole) => {
      const { token } = machine;
      if (!isPlaced || token === undefined) return;
      const value = valueAt(whole, pathOf(machine));
      if (typeof value === 'string' && value.startsWith(token.head)) emit(value, 0);
    },
  };
}

/** Which string it is that stands at the cursor. */
function leafOf({ frame }: Machine): { readonly container: unknown; readonly key: string | number } {
  if (frame === undefined) return { container: undefined, key: '' };
  if (frame.kind === 'array' || frame.key === undefined) return { container: frame.items, key: frame.items.length - 1 };
  return { container: frame.members, key: frame.key };
}

function lastString({ frame, root }: Machine): string {
  const value =
    frame === undefined
      ? root
      : frame.kind === 'array' || frame.key === undefined
        ? frame.items.at(-1)
        : frame.members[frame.key];
  return typeof value === 'string' ? value : '';
}

function valueAt(whole: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = whole;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, JsonValue>>)[key];
  }
  return value;
}

function pathOf({ frames }: Machine): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (const frame of frames) {
    if (frame.kind === 'array') path.push(Math.max(0, frame.items.length - 1));
    else if (frame.key !== undefined) path.push(frame.key);
  }
  return path;
}
