/** What a scanner tells of the containers, keys and strings that it passes, down to where it is told to be quiet. */
export interface JsonObserver {
  /** A container opens. Answer `false` to hear nothing of what is in it. */
  readonly open: (kind: 'object' | 'array', at: number) => boolean;
  /** The container closes that was told of last and has not closed yet; `at` is behind its closer. */
  readonly close: (at: number) => void;
  readonly key: (key: string) => void;
  /** A value that is a string, without what goes beyond 256 characters. */
  readonly string: (value: string) => void;
}

/** Follows JSON that arrives in pieces, as strictly as `JSON.parse`, and never looks back. */
export interface JsonScanner {
  /** `open` until the root closes, or until something stands there that JSON does not allow. */
  readonly status: 'open' | 'closed' | 'broken';
  /** How far it has come: behind the root's closer, before what broke it, or to the end of the last piece. */
  readonly at: number;
  /** Where the value began that was met last, or behind its opener when it is a container. */
  readonly valueAt: number;
  /** Whether it stands within a string that is a value, and up to where that consists of whole characters. */
  readonly isInText: boolean;
  readonly wholeAt: number;
  /** Whether the innermost open container is a list. */
  readonly isInList: boolean;
  /** Takes the next piece, which begins where the last one ended. Stops where the status says. */
  readonly scan: (piece: string, from?: number) => void;
}

const inValue = 0;

const inValueOrCloser = 1;

const inKey = 2;

const inKeyOrCloser = 3;

const inColon = 4;

const inAfterValue = 5;

const inString = 6;

const inEscape = 7;

const inHex = 8;

const inNumber = 9;

const inWord = 10;

const maxReportedLength = 256;

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const literalWords: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** Makes a scanner of the object or list that begins at an offset. */
export function createJsonScanner(start: number, observer?: JsonObserver): JsonScanner {
  let status: JsonScanner['status'] = 'open';
  let state = inValue;
  let at = start;
  /** What closes the open containers. */
  const closers: number[] = [];
  /** How many of them the observer hears of. */
  let observedDepth = observer === undefined ? -1 : 0;
  let valueAt = start;
  let isKey = false;
  let hexLeft = 0;
  /** A number or word so far, or a string that the observer hears of. */
  let token = '';

  const isObserved = (): boolean => closers.length === observedDepth;
  const endValue = (): number => {
    if (state === inString && isObserved()) {
      const value = decode(token);
      if (isKey) observer?.key(value);
      else observer?.string(value);
    }
    token = '';
    return isKey ? inColon : inAfterValue;
  };
  const open = (closer: number): void => {
    if (isObserved() && observer?.open(closer === 0x7d ? 'object' : 'array', at) === true) observedDepth += 1;
    closers.push(closer);
  };
  const close = (): void => {
    const isOpen = isObserved();
    closers.pop();
    if (isOpen) observedDepth -= 1;
    if (isOpen || isObserved()) observer?.close(at + 1);
  };

  /** Takes one character outside of strings; `false` when JSON does not allow it there. */
  const take = (code: number): boolean => {
    if (state === inNumber || state === inWord) {
      const isPart =
        state === inNumber
          ? (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65
          : code >= 0x61 && code <= 0x7a;
      if (isPart) {
        token += String.fromCharCode(code);
        return token.length <= (state === inNumber ? 1_000 : 5);
      }
      if (!(state === inNumber ? numberPattern.test(token) : literalWords.has(token))) return false;
      token = '';
      state = inAfterValue;
    }
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return true;
    switch (state) {
      case inAfterValue: {
        if (code === 0x2c) {
          state = closers.at(-1) === 0x7d ? inKey : inValue;
          return true;
        }
        return takeCloser(code);
      }
      case inColon:
        state = inValue;
        return code === 0x3a;
      case inKeyOrCloser:
      case inKey:
        if (code === 0x22) return beginString(true);
        return state === inKeyOrCloser && takeCloser(code);
      default:
        return (state === inValueOrCloser && code === 0x5d && takeCloser(code)) || beginValue(code);
    }
  };
  const takeCloser = (code: number): boolean => {
    if (code !== closers.at(-1)) return false;
    close();
    if (closers.length === 0) status = 'closed';
    state = inAfterValue;
    return true;
  };
  const beginString = (asKey: boolean): boolean => {
    isKey = asKey;
    state = inString;
    return true;
  };
  const beginValue = (code: number): boolean => {
    valueAt = at;
    if (code === 0x22) return beginString(false);
    if (code === 0x7b || code === 0x5b) {
      valueAt = at + 1;
      open(code + 2);
      state = code === 0x7b ? inKeyOrCloser : inValueOrCloser;
      return true;
    }
    const isNumber = code === 0x2d || (code >= 0x30 && code <= 0x39);
    if (!isNumber && code !== 0x74 && code !== 0x66 && code !== 0x6e) return false;
    state = isNumber ? inNumber : inWord;
    token = String.fromCharCode(code);
    return true;
  };

  /** Takes characters of a string, up to its end or the end of the piece; answers where it stopped. */
  const takeString = (piece: string, from: number): number => {
    let index = from;
    while (index < piece.length) {
      let code = piece.charCodeAt(index);
      if (state === inString) {
        while (code !== 0x22 && code !== 0x5c && code >= 0x20) {
          index += 1;
          code = piece.charCodeAt(index);
        }
        if (index >= piece.length || code === 0x22) break;
        if (code === 0x5c) state = inEscape;
        else status = 'broken';
      } else if (state === inEscape) {
        if (code === 0x75) hexLeft = 4;
        else if (!'"\\/bfnrt'.includes(piece[index] ?? 'x')) status = 'broken';
        state = code === 0x75 ? inHex : inString;
      } else {
        const isHex = (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
        if (!isHex) status = 'broken';
        hexLeft -= 1;
        if (hexLeft === 0) state = inString;
      }
      if (status === 'broken') break;
      index += 1;
    }
    if (isObserved() && token.length < maxReportedLength)
      token += piece.slice(from, Math.min(index, from + maxReportedLength));
    return Math.min(index, piece.length);
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
      return !isKey && (state === inString || state === inEscape || state === inHex);
    },
    get wholeAt() {
      return state === inEscape ? at - 1 : state === inHex ? at - 6 + hexLeft : at;
    },
    get isInList() {
      return closers.at(-1) === 0x5d;
    },
    scan: (piece, from = 0) => {
      const base = at - from;
      let index = from;
      while (status === 'open' && index < piece.length) {
        if (state === inString || state === inEscape || state === inHex) {
          index = takeString(piece, index);
          at = base + index;
          if (status === 'open' && index < piece.length) {
            state = endValue();
            index += 1;
            at += 1;
          }
          continue;
        }
        if (!take(piece.charCodeAt(index))) status = 'broken';
        else {
          index += 1;
          at = base + index;
        }
      }
    },
  };
}

/** What a string of JSON stands for; one that was shortened may end within an escape. */
function decode(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
