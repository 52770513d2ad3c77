import { matchEnd, numberSource } from '../../json/text/characters.ts';
import { parseJson } from '../../json/document/read-valid-document.ts';

/** Receives the containers, keys and strings of scanned JSON. */
export interface JsonObserver {
  /** A container opens. Returns false to skip its content. */
  readonly open: (kind: 'object' | 'array', at: number) => boolean;
  /** The innermost reported container closes. `at` is the offset after its closer. */
  readonly close: (at: number) => void;
  readonly key: (key: string) => void;
  /** A string value, cut after 256 characters. */
  readonly string: (value: string) => void;
}

/** Scans JSON that arrives in chunks, as strictly as `JSON.parse`, and never reads a character twice. */
export interface JsonScanner {
  /** `open` until the root closes, or until a character that JSON does not allow. */
  readonly status: 'open' | 'closed' | 'broken';
  /** The offset after the closer of the root, before the damage, or at the end of the last chunk. */
  readonly at: number;
  /** The beginning of the last value, or the offset after its opener if it is a container. */
  readonly valueAt: number;
  /** Whether the offset is inside a string value, and the end of its last complete character. */
  readonly isInText: boolean;
  readonly wholeAt: number;
  /** Whether the innermost open container is a list. */
  readonly isInList: boolean;
  readonly scan: (chunk: string) => void;
}

type State = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'after-value' | 'string' | 'scalar';

const maxReportedLength = 256;
const maxScalarLength = 1_000;
// In the short chunks of a stream, faster than the loop of `plainEnd`.
const plainPattern = /[^"\\\u0000-\u001f]*/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const cutEscapePattern = /\\(?:u[\da-fA-F]{0,3})?$/y;
const scalarPattern = /[^\s,:"{}[\]]*/y;
const begunScalar = /^(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?(?:\d[\d.eE+-]*)?)$/;
const validScalar = new RegExp(`^(?:true|false|null|${numberSource})$`);

/** Creates a scanner of the object or list that begins at an offset. */
export function createJsonScanner(start: number, observer?: JsonObserver): JsonScanner {
  let status: JsonScanner['status'] = 'open';
  let state: State = 'value';
  let at = start;
  let valueAt = start;
  /** The closers of the open containers, innermost last. */
  const closers: number[] = [];
  /** Number of containers that the observer follows. */
  let observedDepth = observer === undefined ? -1 : 0;
  let isKey = false;
  /** The scalar so far, or a string that the observer receives. */
  let token = '';
  /** An escape at the end of the last chunk that is not complete. */
  let carry = '';

  const isObserved = (): boolean => closers.length === observedDepth;
  const open = (closer: number): void => {
    if (isObserved() && observer?.open(closer === 0x7d ? 'object' : 'array', at) === true) observedDepth += 1;
    closers.push(closer);
    valueAt = at + 1;
    state = closer === 0x7d ? 'first-key' : 'first-value';
  };
  const close = (): void => {
    const wasObserved = isObserved();
    closers.pop();
    if (wasObserved) observedDepth -= 1;
    if (wasObserved || isObserved()) observer?.close(at + 1);
    if (closers.length === 0) status = 'closed';
    state = 'after-value';
  };
  const endString = (): void => {
    if (isObserved()) {
      // A string that was shortened may end within an escape.
      const value = parseJson(`"${token}"`);
      observer?.[isKey ? 'key' : 'string'](typeof value === 'string' ? value : token);
    }
    state = isKey ? 'colon' : 'after-value';
  };

  /** Reads one character between values. Returns the next index, or -1 if JSON does not allow the character. */
  const takeSign = (text: string, index: number): number => {
    const code = text.charCodeAt(index);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return index + 1;
    const closer = closers.at(-1);
    if (code === closer && (state === 'after-value' || state === 'first-key' || state === 'first-value')) close();
    else if (state === 'after-value') {
      if (code !== 0x2c) return -1;
      state = closer === 0x7d ? 'key' : 'value';
    } else if (state === 'colon') {
      if (code !== 0x3a) return -1;
      state = 'value';
    } else {
      isKey = state === 'key' || state === 'first-key';
      if (!isKey) valueAt = at;
      token = '';
      if (code === 0x22) state = 'string';
      else if (isKey) return -1;
      else if (code === 0x7b || code === 0x5b) open(code + 2);
      else {
        state = 'scalar';
        return index;
      }
    }
    return index + 1;
  };
  const takeString = (text: string, from: number): number => {
    let index = from;
    do {
      index = matchEnd(plainPattern, text, index);
      const escapeEnd = matchEnd(escapePattern, text, index);
      if (escapeEnd === -1) break;
      index = escapeEnd;
    } while (index < text.length);
    if (isObserved() && token.length < maxReportedLength)
      token += text.slice(from, Math.min(index, from + maxReportedLength));
    if (index >= text.length) return index;
    if (text[index] === '"') {
      endString();
      return index + 1;
    }
    if (matchEnd(cutEscapePattern, text, index) === -1) return -1 - index;
    carry = text.slice(index);
    return text.length;
  };
  const takeScalar = (text: string, from: number): number => {
    const index = matchEnd(scalarPattern, text, from);
    token += text.slice(from, index);
    if (index >= text.length && token.length <= maxScalarLength) return begunScalar.test(token) ? index : -1;
    if (!validScalar.test(token)) return -1;
    state = 'after-value';
    return index;
  };

  return {
    get status() {
      return status;
    },
    get at() {
      return at;
    },
    get valueAt() {
      return valueAt;
    },
    get isInText() {
      return state === 'string' && !isKey;
    },
    get wholeAt() {
      return at - carry.length;
    },
    get isInList() {
      return closers.at(-1) === 0x5d;
    },
    scan: (chunk) => {
      const text = carry + chunk;
      const base = at - carry.length;
      carry = '';
      let index = 0;
      while (status === 'open' && index < text.length) {
        at = base + index;
        const take = state === 'string' ? takeString : state === 'scalar' ? takeScalar : takeSign;
        const next = take(text, index);
        if (next < 0) {
          status = 'broken';
          if (take === takeString) at = base - 1 - next;
          return;
        }
        index = next;
      }
      at = base + index;
    },
  };
}
