import { isNamePart } from '../../json/text/characters.ts';
import { findContainer } from '../../json/text/find-root.ts';
import { hasCharacter, matchAt, passSpace, type GrowingText, type Reading } from '../source/growing-text.ts';
import { endOfName } from '../arguments/code/end-of-name.ts';
import { readStatementStart } from '../arguments/code/read-statement.ts';
import { resolveName } from '../contract/resolve-name.ts';

/**
 * Whether an object, a list or a call written like code begins at an offset in the middle of a message. Outside of
 * brackets, only a declared tool is called there. Where a line begins, a statement may.
 */
export function* beginsBare(source: GrowingText, at: number, isLineStart: boolean): Reading<boolean> {
  const first = source.text[at];
  if (first === '{') return yield* beginsContainer(source, at);
  if (first === '[') {
    const inner = yield* passSpace(source, at + 1);
    return (yield* beginsWritten(source, inner, true)) || (yield* beginsContainer(source, at));
  }
  if (first === '(') return isLineStart && (yield* beginsNamed(source, at + 1));
  return (
    (yield* beginsWritten(source, at, false)) ||
    (yield* beginsNamed(source, at)) ||
    (isLineStart && (yield* beginsStatement(source, at)))
  );
}

const BETWEEN = /[ \t]{0,9}(?:arguments|args|parameters)?[ \t]{0,9}:?\s{0,20}\{/y;

/** `weather_at⏎{`, `weather_at arguments: {` */
function* beginsNamed(source: GrowingText, at: number): Reading<boolean> {
  const end = yield* endOfName(source, at);
  if (end === at || resolveName(source.tools, source.text.slice(at, end)) === undefined) return false;
  return (yield* matchAt(source, BETWEEN, end)) !== null;
}

const LONGEST_KEY = 128;
// Ways to write a quote that are longer than one character begin with these.
const LONG_QUOTES = '<&\\';
const SIGHT = 8;

function* beginsContainer(source: GrowingText, at: number): Reading<boolean> {
  const first = yield* passSpace(source, at + 1);
  let end = first;
  // A colon may stand before the first key, where another character tells.
  if (source.text[first] === ':') yield* hasCharacter(source, first + 1);
  if (LONG_QUOTES.includes(source.text[first] ?? 'x')) yield* hasCharacter(source, (end += SIGHT));
  // A key with its colon, a word that is a value, or a number with what comes after it.
  while (end - first < LONGEST_KEY && (yield* hasCharacter(source, end)) && isNamePart(source.text.charCodeAt(end))) {
    end += 1;
  }
  if (end > first) {
    end = yield* passSpace(source, end);
    yield* hasCharacter(source, end + 1);
  }
  const from = Math.max(0, at - 1);
  return findContainer(source.text.slice(from, end + 2), at - from) === at - from;
}

function* beginsWritten(source: GrowingText, at: number, mayBeAny: boolean): Reading<boolean> {
  const end = yield* endOfName(source, at);
  if (end === at || !(yield* hasCharacter(source, end)) || source.text[end] !== '(') return false;
  return mayBeAny || resolveName(source.tools, source.text.slice(at, end)) !== undefined;
}

/** `x = f(`, `await f(`, `print(f(` */
function* beginsStatement(source: GrowingText, from: number): Reading<boolean> {
  const { at } = yield* readStatementStart(source, from);
  const printed = (yield* matchAt(source, PRINT, at))?.[0].length ?? 0;
  return at + printed > from && (yield* beginsWritten(source, at + printed, false));
}

const PRINT = /print\(\s{0,4}/y;
/** Whether an offset stands in indented code. */
export function isIndented(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  const isLineStart = start === 0 || text[start - 1] === '\n';
  return isLineStart && (at - start >= 4 || text.slice(start, at).includes('\t'));
}
