import type { Machine } from '../../json/machine/machine.ts';
import { isWhitespace } from '../../json/text/characters.ts';
import { type GrowingText, hasCharacter, matchAt, type Reading } from './growing-text.ts';
import type { OpenedEnvelope, OpenerTrie } from './opener-trie.ts';

const firstBlockLength = 64;
const maxBlockLength = 16_384;

/** The next bound; `undefined` when none comes before the end of the text. `pass` sees what arrives meanwhile. */
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
      // What is there already is looked at little by little: the bound may be near and the text long.
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

/** Whether what stands at a bound is not only an opener but looks as if a call began there. */
export function* beginsCall(source: GrowingText, { kind, at, end }: Bound): Reading<boolean> {
  const before = source.text.slice(Math.max(0, at - 100), at);
  if (kind !== 'call' && !lineStartPattern.test(before) && !afterCloserPattern.test(before)) return false;
  certainOpenerPattern.lastIndex = at;
  return certainOpenerPattern.test(source.text) || (yield* matchAt(source, callBodyPattern, end)) !== null;
}

/** Where damaged JSON or a call written like code may end. A guess each time, to be tried. */
export interface Bound {
  /**
   * `closer` and `opener`: one of the texts that were looked for begins at `at`. `call`: the opener of an envelope begins
   * there, at the beginning of a line. `balanced`: everything that was opened is closed again before it.
   */
  readonly kind: 'closer' | 'opener' | 'call' | 'balanced';
  readonly at: number;
  /** Behind it. */
  readonly end: number;
}

/** What is looked for. */
interface BoundKinds {
  readonly closers: readonly string[];
  readonly openers: readonly string[];
  /** The openers that may begin a line. */
  readonly calls: OpenerTrie<OpenedEnvelope> | undefined;
  /** Whether brackets are followed. */
  readonly areBalanced: boolean;
}

/** Looks for bounds in a text that arrives in pieces, and never looks back. */
interface BoundScanner {
  /** Takes the next piece, which begins where the last one ended. */
  readonly scan: (piece: string) => void;
  /** The next bound, each once, in the order in which they come to their end. */
  readonly next: () => Bound | undefined;
  readonly at: number;
}

/** Makes a scanner that begins at an offset. */
export function createBoundScanner(start: number, kinds: BoundKinds): BoundScanner {
  const { openers, calls } = kinds;
  // A single character is too common to say anything.
  const closers = kinds.closers.filter(({ length }) => length > 1);
  const reach = Math.max(1, ...closers.map(lengthOf), ...openers.map(lengthOf)) - 1;
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

function lengthOf({ length }: string): number {
  return length;
}

const bracketOpeners = '{[(';
const bracketClosers = '}])';

/** Follows brackets and quotes; tells where, behind a closer, nothing is open any more. */
function createBracketFollower(): (piece: string, report: (index: number) => void) => void {
  let depth = 0;
  let quote = 0;
  let isEscaped = false;
  /** The last character that was neither white space nor within a string. */
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
      // Apostrophes within words open nothing.
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
 * Whether the closer of a value may belong to a string in it that was cut. A closing tag or fence behind it shows that the
 * model had come to the end of the call. `kind`: the kind of the bound up to which the value was read.
 */
export function* endsAmbiguously(
  source: GrowingText,
  { hasUncertainEnd, rootEnd }: Pick<Machine, 'hasUncertainEnd' | 'rootEnd'>,
  kind: Bound['kind'] | undefined,
): Reading<boolean> {
  if (!hasUncertainEnd) return false;
  return kind === undefined || kind === 'balanced' ? !(yield* callEndFollows(source, rootEnd)) : false;
}

// What ends a call, or the message around it: a closing tag, a special token, a fence.
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
