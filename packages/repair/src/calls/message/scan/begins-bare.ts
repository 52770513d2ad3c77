import { isNamePart, isOddSpace } from '../../../json/text/characters.ts';
import { findContainer } from '../../../json/document/find-root.ts';
import { endsQuotation, quotedEndLength } from '../../../json/document/prose-brackets.ts';
import { endOfName, readStatementStart } from '../../notations/code/statement-bounds.ts';
import { readNameLine } from '../../envelopes/labelled-envelope.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';

/** Returns whether a call may begin at an offset inside a message. Outside of brackets, only declared tools count. */
export function* beginsBare(source: GrowingText, at: number, isLineStart: boolean): Reading<boolean> {
  const first = source.text[at];
  if (first === '{') return yield* beginsContainer(source, at);
  if (first === '[') {
    const inner = yield* source.skipSpace(at + 1);
    return (yield* beginsWritten(source, inner, true)) || (yield* beginsContainer(source, at));
  }
  if (first === '(') return yield* beginsNamed(source, yield* source.skipMatch(pairStart, at));
  // In `mailer.send(`, the name is longer.
  const isMember = /[\w)\]]\.$/.test(source.before(at, 2));
  return (
    (!isMember && (yield* beginsWritten(source, at, false))) ||
    (yield* beginsNamed(source, at)) ||
    (isLineStart && ((yield* readNameLine(source, at)) !== undefined || (yield* beginsStatementCall(source, at))))
  );
}

const pairStart = /\(["']?/y;

const beforeArguments =
  /(?:(?:["'],)?[ \t]{0,9}(?:arguments|args|parameters)?[ \t]{0,9}:?|(?::\d{1,6}>?)?(?:\s?(?:<\|(?:tool_call_argument_begin|content)\|>|\[ARGS\]))?)\s{0,20}\{/y;

/** `weather_at⏎{`, `weather_at arguments: {`, `weather_at:0<|tool_call_argument_begin|>{` */
function* beginsNamed(source: GrowingText, at: number): Reading<boolean> {
  const end = yield* endOfName(source, at);
  if (resolveName(source.tools, source.text.slice(at, end)) === undefined) return false;
  return (yield* source.matchAt(beforeArguments, end)) !== null;
}

const maxKeyLength = 128;

// Quotes of several characters and escapes begin with these.
const longQuoteStarts = '<&\\';
const lookaheadLength = 8;

const omissionStarts = '.…';
const omission = /(?:\.{3,}|…)\s{0,9},?\s{0,9}/y;

function* beginsContainer(source: GrowingText, at: number): Reading<boolean> {
  if (source.text[at + 1] === '"') {
    yield* source.hasCharacter(at + quotedEndLength);
    if (endsQuotation(source.text, at)) return false;
  }
  const first = yield* source.skipSpace(at + 1);
  let end = first;
  // A colon may precede the first key if another character decides.
  if (source.text[first] === ':') yield* source.hasCharacter(first + 1);
  const isOther = longQuoteStarts.includes(source.text[first] ?? 'x') || isOddSpace(source.text.charCodeAt(first));
  if (isOther) yield* source.hasCharacter((end += lookaheadLength));
  // Items that were left out may precede the first one.
  if (omissionStarts.includes(source.text[first] ?? 'x')) {
    const omitted = yield* source.matchAt(omission, first);
    if (omitted !== null) yield* source.hasCharacter((end += omitted[0].length));
  }
  // A key with its colon, a word that is a value, or a number with the text after it.
  while (end - first < maxKeyLength && (yield* source.hasCharacter(end)) && isNamePart(source.text.charCodeAt(end))) {
    end += 1;
  }
  if (end > first) {
    end = yield* source.skipSpace(end);
    yield* source.hasCharacter(end + 1);
  }
  const from = Math.max(0, at - 1);
  return findContainer(source.text.slice(from, end + 2), at - from, true) === at - from;
}

function* beginsWritten(source: GrowingText, at: number, mayBeAny: boolean): Reading<boolean> {
  const end = yield* endOfName(source, at);
  if (end === at || !(yield* source.hasCharacter(end)) || source.text[end] !== '(') return false;
  return mayBeAny || resolveName(source.tools, source.text.slice(at, end)) !== undefined;
}

/** `x = f(`, `await f(`, `print(f(` */
function* beginsStatementCall(source: GrowingText, from: number): Reading<boolean> {
  const { at } = yield* readStatementStart(source, from);
  const printed = (yield* source.matchAt(printPattern, at))?.[0].length ?? 0;
  return yield* beginsWritten(source, at + printed, false);
}

const printPattern = /print\(\s{0,4}/y;
