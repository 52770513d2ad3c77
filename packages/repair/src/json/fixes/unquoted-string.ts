import { beforeWhitespace, unescapedFrom } from '../text/plain-text.ts';
import { unlikely, likely, type Likelihood } from '../lookahead/likelihood.ts';
import { nextToken } from '../lookahead/next-token.ts';
import { isCloser, isNamePart, isOpener, isWhitespace, simpleEscape, toNarrow, isIn } from '../text/characters.ts';
import { declaredTextEnd, isBracketOfText } from '../lookahead/declared-text.ts';
import { doubleQuote, singleQuote } from '../text/delimiters.ts';
import { attempt, type Fix } from './fix.ts';
import { followAt } from '../lookahead/follows-at.ts';
import { isLateQuotedAt } from '../lookahead/item-at.ts';
import { isStringBefore, isQuotedKeyAt } from '../lookahead/key-at.ts';
import { markAmbiguous } from '../machine/closers.ts';
import type { Machine, State } from '../machine/machine.ts';
import type { JsonValue } from '../result/json-value.ts';
import type { RepairRisk } from '../result/repair-result.ts';
import {
  codeAt,
  deliver,
  finishValue,
  findFrom,
  isSpent,
  note,
  place,
  takeLast,
  dueKinds,
} from '../machine/operations.ts';
import { booleanOf } from '../text/value-words.ts';
import { endOfText } from '../actions/closing.ts';
import { isTextDue } from '../actions/scalars.ts';
import { beginString, rereadString } from '../machine/string-token.ts';
import * as char from '../text/char.ts';

/** A string without quotes, or with the opening one missing. `{"a": some words, "b": 1}` `{"a": words", "b": 1}` */
export const unquotedString: Fix = attempt('unquoted-string', 'lossy', (machine, code) => {
  const { at, frames, text } = machine;
  // In a call, an unquoted word is a variable, whose value is unknown.
  if (frames.length === 0 || frames[0]?.kind === 'call' || isPunctuation(machine, code)) return undefined;
  const declared = declaredTextEnd(machine);
  // `90210", `: the only unescaped quote of the text ends it.
  const isQuoted = declared > at && unescapedFrom(text, '"', at) === declared - 1;
  if (declared !== -1) return endText(machine, declared - Number(isQuoted));
  const late = frames.at(-1)?.kind === 'array' && isLateQuotedAt(machine, at) ? findFrom(machine, '"', at) : -1;
  if (machine.needsMore) return undefined;
  if (late !== -1) return endText(machine, late);
  let maybe = -1;
  let quotes = 0;
  let depth = 0;
  // Text after a line break also follows all earlier line breaks, and the comments in between.
  let lines: { readonly end: number; readonly likelihood: Likelihood } = { end: -1, likelihood: unlikely };
  for (let index = at; ; index += 1) {
    const current = codeAt(machine, index);
    if (current === char.end && machine.needsMore) return undefined;
    if (maybe !== -1 && (current === char.end || isSpent(machine, index - maybe))) {
      machine.lookaheadCost += index - maybe;
      return endText(machine, maybe);
    }
    if (current === char.end) {
      deliver(machine, text.slice(at).trimEnd(), at);
      return endOfText(machine, 'cut', 'cut-string', at);
    }
    // A quote that ends a quotation inside the text is part of the text.
    const isInner = current === char.quote && quotes % 2 === 1;
    if (current === char.quote) quotes += 1;
    if (isOpener(current)) depth += 1;
    if (quotes === 1 && !isInner && isWordBefore(machine, index)) return endBare(machine, index);
    if (current === char.lineFeed && isWordOfLines(machine, index)) return endBare(machine, index);
    const isSeen = current === char.lineFeed && index < lines.end;
    const likelihood = isInner ? unlikely : isSeen ? lines.likelihood : textEndsAt(machine, index, current);
    if (current === char.lineFeed && !isSeen) lines = { end: nextToken(machine, index), likelihood };
    if (machine.needsMore) return undefined;
    // Brackets that the text opened are closed in it: `f(1, 2)`, `{ return 1; }`.
    if (likelihood === likely && depth === 0) return endText(machine, index);
    if (likelihood !== unlikely && maybe === -1) maybe = index;
    if (depth > 0 && isCloser(current)) depth -= 1;
    if (quotes === 0 && depth === 0 && isWhitespace(current) && hasKeyAfter(machine, index))
      return endText(machine, index);
    if (machine.needsMore) return undefined;
  }
});

/** `main"next": 1`, `[main "next"]`: words, followed directly by the next key or, after one, by the next item. */
function isWordBefore(machine: Machine, index: number): boolean {
  const { at, frame, text } = machine;
  if (index - at > maxName) return false;
  if (frame?.kind === 'object')
    return /^[\w.+-]+(?: [\w.+-]+)*$/.test(text.slice(at, index)) && isQuotedKeyAt(machine, index);
  return /^[\w.+-]+\s*$/.test(text.slice(at, index)) && isStringBefore(machine, index, ']');
}

/** `red⏎blue`: one word on a line of a list, and one word on the next. */
function isWordOfLines(machine: Machine, index: number): boolean {
  const { at, ended, frame, text } = machine;
  if (frame?.kind !== 'array' || !ended || index - at > maxName) return false;
  if (!/^[\w.-]+$/.test(text.slice(at, index).trim())) return false;
  return /^\s*[A-Za-z_][\w.-]{0,63}[ \t]*(?:[\n,\]]|$)/.test(text.slice(index, index + maxName * 4));
}

/** `main "next": 1`: the next key, without the comma before it. */
function hasKeyAfter(machine: Machine, index: number): boolean {
  if (index - machine.at > maxName || machine.frame?.kind !== 'object') return false;
  if (toNarrow(codeAt(machine, index - 1)) === char.comma) return false;
  return codeAt(machine, index + 1) === char.quote && isQuotedKeyAt(machine, index + 1);
}

const maxName = 40;

function textEndsAt(machine: Machine, index: number, character: number): Likelihood {
  const code = toNarrow(character);
  const { frame, frames, hasSemicolons } = machine;
  const level = frames.length - 1;
  if (code === char.comma && frame?.kind === 'array') return likely;
  if (code === char.quote) return followAt(machine, index + 1, level, true);
  const isEnd = isIn(',\n', code) || code === frame?.closer || (code === char.semicolon && hasSemicolons);
  return isEnd || code === char.semicolon ? followAt(machine, index, level, !isEnd) : unlikely;
}

function endText(machine: Machine, at: number): State | undefined {
  const { at: start, text } = machine;
  if (text.charCodeAt(at) === char.quote) {
    // Only the opening quote is missing, so this is an ordinary string.
    note(machine, 'missing-open-quote', 'lossy', start, start, '"');
    beginString(machine, 'value', doubleQuote, start);
    if (machine.token !== undefined) rereadString(machine, machine.token, { end: at, resume: at + 1 });
    return 'readString';
  }
  return endBare(machine, at);
}

/** Returns the value of unquoted text that means another value than the text itself, with its repair. */
function meaningOf(machine: Machine, text: string): readonly [string, RepairRisk, JsonValue] | undefined {
  // The value is not known.
  if (/^\?+$/.test(text)) return ['missing-value', 'lossy', null];
  const kinds = dueKinds(machine);
  const boolean = kinds?.has('boolean') === true && !kinds.has('string') ? booleanOf(text) : undefined;
  if (boolean !== undefined) return ['other-word', 'lossy', boolean];
  const quoted = /^[「『]([^「」『』]*)[」』]$/.exec(text)?.[1];
  if (quoted !== undefined) return ['smart-quotes', 'safe', quoted];
  // Arabic, Persian or full-width digits.
  const digits = withAsciiDigits(text);
  const isNumber = digits !== text && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(digits);
  return isNumber && !isTextDue(machine, 'number') ? ['other-digits', 'safe', Number(digits)] : undefined;
}

/** Forms of unquoted text that stand for another value, which is not known. */
const unknownForms: readonly RegExp[] = [
  // `$TOOL_NAME`: a value was not filled in.
  /^\$(?:\{[a-z]\w*\}|[A-Z]+_[A-Z\d_]+|INPUT|VALUE)$/,
  // `base + "/x"`
  /^[\w.()[\]]+ ?(?:[+%]|\|\|) ?["']/,
  // `new Date('2024-05-01') - start`
  /^\(?new [A-Z]\w*\(/,
  // What JavaScript makes of an object that it writes as text.
  /^object Object$/,
  // Items and text in the notation of YAML.
  /^- [^\n]+\n\s*- |^[|>][+-]?\n/,
];

/** Ends text that has no quote of its own. */
function endBare(machine: Machine, at: number): State | undefined {
  const { at: start, text } = machine;
  const last = beforeWhitespace(text, at);
  const value = decodeEscapes(text.slice(start, last));
  const meaning = meaningOf(machine, value);
  if (meaning !== undefined) {
    const [code, risk, meant] = meaning;
    note(machine, code, risk, start, last, JSON.stringify(meant));
    const kind = typeof meant === 'string' ? 'string' : typeof meant === 'number' ? 'number' : 'word';
    return finishValue(machine, meant, kind, start, at);
  }
  if (/^[^"]+"$/.test(value) || (/^[^']+'$/.test(value) && hasSingleQuotes(machine))) {
    note(machine, 'missing-open-quote', 'lossy', start, start, '"');
    return finishValue(machine, value.slice(0, -1), 'string', start, at);
  }
  note(machine, 'unquoted-string', 'lossy', start, last, JSON.stringify(value.slice(0, 56)));
  if (unknownForms.some((form) => form.test(value))) machine.isUncertain = true;
  // Text with a quoted key in it may be several members.
  // A text with its own commas or quotes may also have its own closers, if only closers follow.
  markAmbiguous(machine, start, /"\s*:/.test(value) || (/[,"]/.test(value) && /^[\s}\])]*$/.test(text.slice(at))));
  return finishValue(machine, value, 'string', start, at);
}

/** Returns whether a string shortly before was in single quotes. */
const hasSingleQuotes = ({ repairs }: Machine): boolean =>
  repairs.slice(-8).some(({ code }) => code === singleQuote.code);

/** Decodes the escapes of a text that contains an escaped quote, which shows that the text was written for quotes. */
function decodeEscapes(text: string): string {
  if (!text.includes('\\"')) return text;
  return text.replaceAll(/\\(["\\/nrt])/g, (whole, letter: string) => simpleEscape(letter.charCodeAt(0)) ?? whole);
}

/** Replaces the Arabic, Persian and full-width digits and decimal points of a text. */
function withAsciiDigits(text: string): string {
  return text
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll(/[\u066b\uff0e]/g, '.');
}

function isPunctuation(machine: Machine, code: number): boolean {
  // `(?:a|b)` is not a list.
  return isIn(',:;{}[])', code) && !(isIn('{[', code) && isBracketOfText(machine, code));
}

/** Text without quotes that begins like a number or a word. `{"a": 10 apples, "b": 1 + 2}` */
export const barePhrase: Fix = attempt('unquoted-string', 'lossy', (machine, code) => {
  const { frame, last, lastStart, text, at } = machine;
  if (frame === undefined || (last !== 'number' && last !== 'word')) return undefined;
  if (!isNamePart(code) && !isIn('\\+*/%', code)) return undefined;
  if (at === lastStart || !isWhitespace(text.charCodeAt(at - 1)) || text.slice(lastStart, at).includes('\n'))
    return undefined;
  const value = takeLast(frame);
  machine.at = lastStart;
  const next = unquotedString.apply(machine, text.charCodeAt(lastStart));
  if (next !== undefined || machine.rootEnd !== -1 || value === undefined) return next;
  machine.at = at;
  place(frame, value);
  return undefined;
});
