import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  EQUALS,
  LINE_FEED,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  isDigit,
} from '../text/characters.ts';
import { followsEmptyString } from '../text/delimiters.ts';
import type { JsonValue } from '../result/json-value.ts';
import { note, type Machine } from '../machine/machine.ts';
import { afterWhitespace, endsPlainly, plainEnd, plainNumberEnd, plainWordAt } from '../text/plain-text.ts';
import { isWindowsPath } from '../lookahead/windows-path.ts';
import { mayHoldInfinity } from '../text/infinite-numbers.ts';

// A short cut for whole texts. Where nothing is damaged but that commas stand before closers, Python's words for JSON's, or
// closers are missing at the end, a text is written anew as JSON and left to `JSON.parse`, which makes objects far sooner
// than any program does. It comes to what the states and fixes would come to, and leaves whatever else there is to them.

const DEEPEST = 32;
const MOST_KEYS = 64;

/** A text on its way to being JSON. */
interface Tidying {
  readonly machine: Machine;
  /** What has been written anew, up to `copied`. */
  written: string;
  copied: number;
  /** The keys of the objects that are open, each a number made of it and where it begins, and how many these are. */
  readonly keys: number[];
  count: number;
}

/** Reads the value at the machine's cursor if it is plain, and answers whether it was. Otherwise the machine is as before. */
export function readTidily(machine: Machine): boolean {
  const { at, limits, mayShorten, shape, text } = machine;
  const isUsual = limits.depth > DEEPEST && limits.duplicateKeys === 'last' && limits.unsafeIntegers === 'round';
  const first = text.charCodeAt(at);
  if (!mayShorten || shape !== undefined || !isUsual || (first !== OPEN_BRACE && first !== OPEN_BRACKET)) return false;
  const tidying: Tidying = { machine, written: '', copied: at, keys: [], count: 0 };
  const end = passContainer(tidying, at);
  const root =
    end === -1 || mayHoldInfinity(text)
      ? undefined
      : parse(tidying.written + text.slice(tidying.copied, end) + dueAt(machine, end));
  if (root !== undefined) {
    machine.root = root;
    machine.at = machine.rootEnd = end;
    if (machine.ending === 'open') noteUnclosed(machine, root);
    return true;
  }
  machine.repairs.length = 0;
  machine.unlisted = 0;
  machine.risk = 'none';
  machine.ending = 'closed';
  return false;
}

/** The containers at the very end of the text, outermost first, and the last key of the innermost. */
function noteUnclosed(machine: Machine, root: JsonValue): void {
  const { length } = dueAt(machine, machine.rootEnd);
  const unclosed = [root];
  let key: string | undefined;
  for (let value: JsonValue | undefined = root; typeof value === 'object' && value !== null;) {
    key = Array.isArray(value) ? undefined : Object.keys(value).at(-1);
    if (unclosed.length === length) break;
    value = (Object.values(value) as readonly JsonValue[]).at(-1);
    if (value !== undefined) unclosed.push(value);
  }
  machine.unclosed = unclosed;
  machine.cutKey = key;
}

/** The closers that were found missing. */
function dueAt({ ending, repairs }: Machine, end: number): string {
  const last = repairs.at(-1);
  return ending === 'open' && last?.start === end ? last.assumed : '';
}

function parse(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Goes over the container that begins at an offset, and answers where it ends; -1 when something in it is not plain. */
function passContainer(tidying: Tidying, from: number): number {
  const { machine } = tidying;
  const { text } = machine;
  /** Where what is open begins, and how many keys there were before it. */
  const open: number[] = [];
  let at = from;
  let closer = 0;
  let isKeyDue = false;
  for (;;) {
    if (isKeyDue) {
      at = passKey(tidying, at, open[open.length - 1] ?? 0);
      if (at === -1) return -1;
    }
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open.length === 2 * DEEPEST) return -1;
      closer = code + 2;
      open.push(at, tidying.count);
      at = afterWhitespace(text, at + 1);
      isKeyDue = code === OPEN_BRACE;
      if (text.charCodeAt(at) !== closer) continue;
    } else {
      if (code === QUOTE) at = passString(text, at);
      else if (code <= NINE) at = plainNumberEnd(text, at);
      else at = passWord(tidying, at, code);
      if (at === -1) return -1;
    }
    for (;;) {
      let next = text.charCodeAt(at);
      if (next !== COMMA && next !== closer) next = text.charCodeAt((at = afterWhitespace(text, at)));
      if (next === COMMA) {
        const behind = afterWhitespace(text, at + 1);
        if (text.charCodeAt(behind) !== closer) {
          at = behind;
          break;
        }
        note(machine, 'trailing-comma', 'safe', at, at + 1, '');
        replace(tidying, at, at + 1, '');
        at = behind;
      } else if (next !== closer) {
        return at < text.length ? -1 : closeAll(tidying, open, at);
      }
      tidying.count = open.pop() ?? 0;
      if (mayBeExtra(text, open.pop() ?? 0, at)) return -1;
      at += 1;
      if (open.length === 0) return endsWhole(text, at) ? at : -1;
      closer = text.charCodeAt(open[open.length - 2] ?? 0) + 2;
    }
    isKeyDue = closer === CLOSE_BRACE;
  }
}

/** Whether by the layout a closer right behind another may be one too many. */
function mayBeExtra(text: string, opener: number, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before !== CLOSE_BRACE && before !== CLOSE_BRACKET) return false;
  return text.charCodeAt(opener + 1) === LINE_FEED && text.charCodeAt(at + 1) === COMMA;
}

/** Whether what stands behind the root leaves no doubt that it ended there. */
function endsWhole(text: string, end: number): boolean {
  const at = afterWhitespace(text, end);
  const code = text.charCodeAt(at);
  return (
    !(code > 0x7e || ',:;"\'/#\\\u000b\u000c'.includes(text[at] ?? 'x')) &&
    (code !== BACKTICK || text.startsWith('```', at))
  );
}

function closeAll({ count, keys, machine }: Tidying, open: readonly number[], end: number): number {
  // An object has keys that are numbers first, wherever they were written, and the last one has to be known.
  for (let index = 1; index < count; index += 2)
    if (isDigit(machine.text.charCodeAt((keys[index] ?? 0) + 1))) return -1;
  let due = '';
  for (let index = 0; index < open.length; index += 2)
    due = String.fromCharCode(machine.text.charCodeAt(open[index] ?? 0) + 2) + due;
  note(machine, 'missing-closers', machine.stopped ? 'lossy' : 'truncated', end, end, due);
  machine.ending = 'open';
  return end;
}

/** Where the value of a key begins that stands at an offset; -1 when there is none, or the object has that key already. */
function passKey(tidying: Tidying, at: number, base: number): number {
  const { keys, machine } = tidying;
  const { text } = machine;
  if (text.charCodeAt(at) !== QUOTE || tidying.count - base >= 2 * MOST_KEYS) return -1;
  let end = at + 1;
  let sign = 0;
  for (; ; end += 1) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) break;
    if (!(code >= 0x20) || code === BACKSLASH) return -1;
    sign = (sign * 31 + code) | 0;
  }
  if (text.charCodeAt(end + 1) !== COLON || text.charCodeAt(end + 2) === EQUALS) return -1;
  for (let index = base; index < tidying.count; index += 2) {
    if (keys[index] === sign && text.startsWith(text.slice(at, end + 1), keys[index + 1])) return -1;
  }
  keys[tidying.count] = sign;
  keys[tidying.count + 1] = at;
  tidying.count += 2;
  return afterWhitespace(text, end + 2);
}

/** Where the string ends that begins at an offset; -1 when something in it takes a closer look. */
function passString(text: string, start: number): number {
  let at = start + 1;
  if (text.charCodeAt(at) === QUOTE) return followsEmptyString(text.charCodeAt(at + 1)) ? at + 1 : -1;
  if (isWindowsPath(text, at)) return -1;
  for (;;) {
    at = plainEnd(text, at, QUOTE);
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code !== BACKSLASH) return -1;
    at += 2;
  }
}

function passWord(tidying: Tidying, at: number, code: number): number {
  const { machine } = tidying;
  const { text } = machine;
  const known = plainWordAt(text, at);
  if (known !== undefined) return at + known.length;
  const word = code === 0x54 ? 'True' : code === 0x46 ? 'False' : 'None';
  const end = at + word.length;
  if (!text.startsWith(word, at) || !endsPlainly(text.charCodeAt(end))) return -1;
  const meant = code === 0x54 ? 'true' : code === 0x46 ? 'false' : 'null';
  note(machine, 'other-word', 'safe', at, end, meant);
  replace(tidying, at, end, meant);
  return end;
}

function replace(tidying: Tidying, from: number, to: number, by: string): void {
  tidying.written += tidying.machine.text.slice(tidying.copied, from) + by;
  tidying.copied = to;
}
