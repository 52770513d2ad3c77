import type { Machine } from '../../json/machine/machine.ts';
import { isWhitespace } from '../../json/text/characters.ts';
import { type GrowingText, hasCharacter, matchAt, type Reading } from './growing-text.ts';
import type { OpenedEnvelope, OpenerTrie } from './opener-trie.ts';

const firstBlockLength = 64;
const maxBlockLength = 16_384;

/**
 * Returns the next bound, or undefined if none comes before the end of the text. `pass` receives each chunk that
 * arrives meanwhile.
 */
export function* nextBound(
  source: GrowingText,
  scanner: BoundScanner,
  pass?: (piece: string, offset: number) => void,
): Reading<Bound | undefined> {
  let length = firstBlockLength;
  for (;;) {
    const bound = scanner.next();
    if (bound !== undefined) return bound;
    const { text } = source;
    if (scanner.at < text.length) {
      // Searches the existing text in small steps, because the next bound is often near.
      scanner.scan(text.slice(scanner.at, scanner.at + length));
      length = Math.min(maxBlockLength, length * 2);
      continue;
    }
    if (source.ended) return undefined;
    let found: Bound | undefined;
    yield (piece) => {
      const offset = scanner.at;
      scanner.scan(piece);
      pass?.(piece, offset);
      found = scanner.next();
      return found !== undefined;
    };
    if (found !== undefined) return found;
  }
}

const afterCloserPattern = /(?:^|[>\]}])\s{0,99}$/;
const lineStartPattern = /(?:^|\n)[ \t]{0,99}$/;
const certainOpenerPattern = /<(?:[|｜]|function[= ]|invoke )/y;

const callBodyPattern =
  /\s{0,9}(?:[{[]\s{0,9}[{[]?\s{0,9}["']?(?:name|tool_name|function|function_name|arguments|parameters)["']?\s{0,9}:|<(?:function|invoke)[ =])/y;

/** Returns whether the text at a bound looks like the beginning of a call, instead of only an opener. */
export function* beginsCall(source: GrowingText, { kind, at, end }: Bound): Reading<boolean> {
  const before = source.text.slice(Math.max(0, at - 100), at);
  if (kind !== 'call' && !lineStartPattern.test(before) && !afterCloserPattern.test(before)) return false;
  certainOpenerPattern.lastIndex = at;
  return certainOpenerPattern.test(source.text) || (yield* matchAt(source, callBodyPattern, end)) !== null;
}

/** A position at which damaged JSON or a call written as code may end. It is a guess that has to be tried. */
export interface Bound {
  /**
   * `closer` and `opener`: one of the searched texts begins at `at`. `call`: the opener of an envelope begins there, at
   * the start of a line. `balanced`: everything that was opened before it is closed.
   */
  readonly kind: 'closer' | 'opener' | 'call' | 'balanced';
  readonly at: number;
  /** The offset after it. */
  readonly end: number;
}

/** The texts to search for. */
interface BoundKinds {
  readonly closers: readonly string[];
  readonly openers: readonly string[];
  /** The openers that may begin a line. */
  readonly calls: OpenerTrie<OpenedEnvelope> | undefined;
  /** Whether brackets are counted. */
  readonly areBalanced: boolean;
}

/** Searches a text that arrives in chunks for bounds. Never reads a character twice. */
interface BoundScanner {
  /** Receives the next chunk, which begins at the end of the previous one. */
  readonly scan: (piece: string) => void;
  /** Returns the next bound. Each bound is returned once, in the order of their ends. */
  readonly next: () => Bound | undefined;
  readonly at: number;
}

/** Creates a scanner that begins at an offset. */
export function createBoundScanner(start: number, kinds: BoundKinds): BoundScanner {
  const { openers, calls } = kinds;
  // A single character is too common to be a bound.
  const closers = kinds.closers.filter(({ length }) => length > 1);
  const reach = Math.max(1, ...[...closers, ...openers].map(({ length }) => length)) - 1;
  const followBrackets = kinds.areBalanced ? createBracketFollower() : undefined;
  let bounds: Bound[] = [];
  let at = start;
  let tail = '';
  let line = -1;
  let node: OpenerTrie<OpenedEnvelope> | undefined;

  const findNeedles = (piece: string, needles: readonly string[], kind: Bound['kind']): void => {
    const sight = tail + piece;
    for (const needle of needles) {
      const from = Math.max(0, tail.length - needle.length + 1);
      for (let found = sight.indexOf(needle, from); found !== -1; found = sight.indexOf(needle, found + 1)) {
        const begin = at - tail.length + found;
        bounds.push({ kind, at: begin, end: begin + needle.length });
      }
    }
  };
  const findCalls = (piece: string, trie: OpenerTrie<OpenedEnvelope>): void => {
    for (let index = 0; index < piece.length; index += 1) {
      const code = piece.charCodeAt(index);
      if (code === 0x0a) {
        node = trie;
        line = at + index + 1;
      } else if (node !== undefined) {
        const isIndent = node === trie && (code === 0x20 || code === 0x09);
        if (isIndent) line += 1;
        else node = node.next.get(code);
        if (node !== undefined && node.values.length > 0) {
          bounds.push({ kind: 'call', at: line, end: at + index + 1 });
          node = undefined;
        }
      }
    }
  };

  return {
    scan: (piece) => {
      const known = bounds.length;
      findNeedles(piece, closers, 'closer');
      findNeedles(piece, openers, 'opener');
      if (calls !== undefined) findCalls(piece, calls);
      followBrackets?.(piece, (index) => bounds.push({ kind: 'balanced', at: at + index, end: at + index }));
      if (bounds.length > known + 1) {
        bounds = [...bounds.slice(0, known), ...bounds.slice(known).sort((one, other) => one.end - other.end)];
      }
      tail = reach === 0 ? '' : (tail + piece).slice(-reach);
      at += piece.length;
    },
    next: () => bounds.shift(),
    get at() {
      return at;
    },
  };
}

const maxEagerAttempts = 4;

/** Decides at which bounds a text is read again: first at every bound, later only after much more text. */
export function createAttempts(at: number): (end: number) => boolean {
  let tried = 0;
  let last = 0;
  return (end) => {
    if (tried >= maxEagerAttempts && end - at < last * 1.5) return false;
    tried += 1;
    last = end - at;
    return true;
  };
}

const bracketOpeners = '{[(';
const bracketClosers = '}])';

/** Counts brackets and quotes. Reports the offsets after closers at which nothing is open. */
function createBracketFollower(): (piece: string, report: (index: number) => void) => void {
  let depth = 0;
  let quote = 0;
  let isEscaped = false;
  /** The last character that is neither white space nor inside a string. */
  let last = '(';
  return (piece, report) => {
    for (let index = 0; index < piece.length; index += 1) {
      const code = piece.charCodeAt(index);
      if (quote !== 0) {
        if (isEscaped) isEscaped = false;
        else if (code === 0x5c) isEscaped = true;
        else if (code === quote) quote = 0;
        continue;
      }
      if (code <= 0x20) continue;
      const character = piece[index] ?? '';
      // Apostrophes inside words open nothing.
      if (code === 0x22 || (code === 0x27 && '{[(,:='.includes(last))) quote = code;
      else if (bracketOpeners.includes(character)) depth += 1;
      else if (bracketClosers.includes(character)) {
        depth -= 1;
        if (depth <= 0) report(index + 1);
      }
      last = character;
    }
  };
}

/**
 * Returns whether the closer of a value may belong to a truncated string in it. A closing tag or fence after it proves
 * that the model had finished the call. `kind` is the kind of the bound up to which the value was read.
 */
export function* endsAmbiguously(
  source: GrowingText,
  { hasUncertainEnd, rootEnd }: Pick<Machine, 'hasUncertainEnd' | 'rootEnd'>,
  kind: Bound['kind'] | undefined,
): Reading<boolean> {
  if (!hasUncertainEnd) return false;
  return kind === undefined || kind === 'balanced' ? !(yield* callEndFollows(source, rootEnd)) : false;
}

// Text that ends a call, or the message around it: a closing tag, a special token, a fence.
const callEndPattern = /<[/|]|\[\/|```|<[\w-]{1,64}>/y;
const skippedCharacters = ',;}])';

function* callEndFollows(source: GrowingText, from: number): Reading<boolean> {
  let at = from;
  while (yield* hasCharacter(source, at)) {
    const character = source.text[at] ?? '';
    if (character === '\\' && (yield* hasCharacter(source, at + 1)) && source.text[at + 1] === 'n') at += 2;
    else if (skippedCharacters.includes(character) || isWhitespace(source.text.charCodeAt(at))) at += 1;
    else break;
  }
  return (yield* matchAt(source, callEndPattern, at)) !== null;
}
