import type { OpenedEnvelope } from './opened-envelope.ts';
import type { OpenerTrie } from './opener-trie.ts';

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
export interface BoundKinds {
  readonly closers: readonly string[];
  readonly openers: readonly string[];
  /** The openers that may begin a line. */
  readonly calls: OpenerTrie<OpenedEnvelope> | undefined;
  /** Whether brackets are followed. */
  readonly areBalanced: boolean;
}

/** Looks for bounds in a text that arrives in pieces, and never looks back. */
export interface BoundScanner {
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

const OPENERS = '{[(';
const CLOSERS = '}])';

/** Follows brackets and quotes; tells where, behind a closer, nothing is open any more. */
function createBracketFollower(): (piece: string, tell: (index: number) => void) => void {
  let depth = 0;
  let quote = 0;
  let isEscaped = false;
  /** The last character that was neither white space nor within a string. */
  let last = '(';
  return (piece, tell) => {
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
      else if (OPENERS.includes(character)) depth += 1;
      else if (CLOSERS.includes(character)) {
        depth -= 1;
        if (depth <= 0) tell(index + 1);
      }
      last = character;
    }
  };
}
