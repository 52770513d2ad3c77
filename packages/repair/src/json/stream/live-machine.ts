import { type FirstState, Machine } from '../machine/machine.ts';
import type { Shape } from '../result/declared-shape.ts';
import type { JsonValue } from '../result/json-value.ts';
import type { Limits } from '../result/repair-options.ts';
import { advance } from '../states/advance.ts';
import { lastOf, place, replaceLast } from '../machine/operations.ts';
import { takeCertain, createPlainString, isPlain, type PlainString } from './live-string.ts';
import { createWindow, type Window } from './stream-window.ts';

/** The next chunk of a string value. The chunks of one path make up the whole string. */
export interface StringDelta {
  /** Its path from the root: keys and list indices. */
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** A machine whose text arrives in chunks. */
export interface Live {
  readonly machine: Machine;
  readonly push: (chunk: string) => void;
  /** Reports the rest of the string at the cursor, once the whole is known. */
  readonly reportRest: (whole: JsonValue) => void;
}

/**
 * Reads a value from chunks of text, in time proportional to each chunk. The text of `arguments` begins with their opening
 * parenthesis.
 */
export function createLive(
  state: FirstState,
  limits: Limits | undefined,
  shape?: Shape,
  onDelta?: (delta: StringDelta) => void,
): Live {
  const machine = new Machine({
    text: '',
    at: Number(state === 'arguments'),
    ended: false,
    state,
    limits: { ...limits, repairs: 0, duplicateKeys: 'last', unsafeIntegers: 'round' },
    shape,
  });
  const window: Window = createWindow(machine);
  // The frame and the key of the last reported string, and the length that was reported.
  let leaf: readonly unknown[] = [];
  let shown = 0;
  let isPlaced = false;
  let seen = -1;
  let waiting = { at: -1, length: 0 };
  let plain: PlainString | undefined;

  /** Reports the new text in a part of the string at the cursor, which begins at an offset of it. */
  const emit = (part: string, offset: number): void => {
    if (onDelta === undefined) return;
    const { frame } = machine;
    const key = frame?.key ?? frame?.items.length;
    if (leaf[0] !== frame || leaf[1] !== key) [leaf, shown] = [[frame, key], 0];
    const added = part.slice(Math.max(0, shown - offset));
    shown += added.length;
    if (added !== '') onDelta({ path: pathOf(machine), text: added });
  };
  const afterStep = (): void => {
    window.restore();
    if (machine.last !== 'string' || machine.lastStart === seen) return;
    seen = machine.lastStart;
    const last = machine.frame === undefined ? machine.root : lastOf(machine.frame);
    emit(typeof last === 'string' ? last : '', 0);
  };
  const show = (): void => {
    const { token, frame } = machine;
    isPlaced = false;
    if (token?.role !== 'value' || frame === undefined) return;
    isPlaced = true;
    const offset = token.head.length;
    const part = takeCertain(machine, token);
    place(frame, token.head);
    // A quote that may end the string makes everything before it certain.
    if (part === '') emit(token.head, 0);
    else emit(part, offset);
  };

  /** Continues in a string. Returns false if the machine has to. */
  const continuePlainString = (chunk: string): boolean => {
    const { token } = machine;
    if (plain === undefined || token === undefined) return false;
    const offset = token.head.length;
    const part = plain.take(chunk);
    if (part === undefined) {
      plain.flush();
      plain = undefined;
      return false;
    }
    if (machine.frame !== undefined) replaceLast(machine.frame, token.head);
    emit(part, offset);
    return true;
  };

  return {
    machine,
    push: (chunk) => {
      if (continuePlainString(chunk)) return;
      machine.text += chunk;
      const ahead = machine.text.length - (machine.token?.at ?? machine.at);
      // Repeats a long lookahead only after much more text has arrived.
      if (waiting.at === machine.at && ahead > 1_024 && ahead < waiting.length * 1.25) return;
      const { frame } = machine;
      // In a list, the final version would be added as a second item.
      if (isPlaced && frame !== undefined && frame.key === undefined) frame.items.pop();
      advance(machine, afterStep);
      show();
      const before = machine.lastStart;
      window.trim();
      seen += machine.lastStart - before;
      const { token } = machine;
      waiting = { at: machine.at, length: machine.text.length - (token?.at ?? machine.at) };
      if (token !== undefined && isPlain(machine, token)) plain = createPlainString(machine, token);
    },
    reportRest: (whole) => {
      const { token } = machine;
      // Without a callback, comparing long texts would only take time.
      if (!isPlaced || token === undefined || onDelta === undefined) return;
      const value = valueAt(whole, pathOf(machine));
      if (typeof value === 'string' && value.startsWith(token.head)) emit(value, 0);
    },
  };
}

function valueAt(whole: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = whole;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, JsonValue>>)[key];
  }
  return value;
}

/** Returns the keys and list indices that lead to the value at the cursor. */
export function pathOf({ frames }: Machine): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (const frame of frames) {
    if (frame.kind === 'array') path.push(Math.max(0, frame.items.length - 1));
    else if (frame.key !== undefined) path.push(frame.key);
  }
  return path;
}
