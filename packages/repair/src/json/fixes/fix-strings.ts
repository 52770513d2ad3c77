import { nextCode, nextToken } from '../lookahead/next-token.ts';
import { endsValueAt } from '../lookahead/follows-at.ts';
import { isContinuedAt, isEndAt } from '../lookahead/item-at.ts';
import { isClosingFence, isQuotedKeyAt } from '../lookahead/key-at.ts';
import { attempt, type Fix } from './fix.ts';
import type { Frame, Machine, State } from '../machine/machine.ts';
import { codeAt, findFrom, note, startsAt, takeLast, waitFor } from '../machine/operations.ts';
import { namePartsEnd } from '../lookahead/name-end.ts';
import { beginString } from '../machine/string-token.ts';
import { afterWhitespace, beforeWhitespace, isFirstOnLine, unescapedFrom } from '../text/plain-text.ts';
import { isIn, isNameStart, isWhitespace } from '../text/characters.ts';
import {
  delimiterAt,
  doubledApostrophe,
  doubleQuote,
  doubledQuote,
  isDoubledQuoteAt,
  isStringPrefix,
  mayOpenString,
  otherDelimiterAt,
  type Delimiter,
} from '../text/delimiters.ts';
import * as char from '../text/char.ts';

/** Begins a string as the key or the value that is expected. */
function begin(machine: Machine, delimiter: Delimiter): State {
  return beginString(machine, machine.state === 'beforeKey' ? 'key' : 'value', delimiter);
}

/**
 * Returns the delimiter of a string in two quotes on each side, as exported from a spreadsheet. `{""a"": ''b''}` If texts
 * before it have inner quotes, and no key has two, it is a quotation: `{"a": "a "b"", "c": ""d""}`.
 */
function doubledAt(machine: Machine): Delimiter | undefined {
  const { at, state, text } = machine;
  if (machine.doubledQuotes === 'quotation' && state !== 'beforeKey' && text[at] === '"') return undefined;
  const delimiter = [doubledQuote, doubledApostrophe].find(({ open }) => text.startsWith(open, at));
  // The next two quotes decide, so they must have arrived.
  if (delimiter !== undefined && !machine.ended) {
    const quote = unescapedFrom(text, delimiter.open.charAt(0), at + 2);
    waitFor(machine, quote === -1 ? text.length : quote + 1);
  }
  return delimiter !== undefined && isDoubledQuoteAt(text, at) ? delimiter : undefined;
}

/** `""""Doc."""\nimport os"`: returns whether one quote opens a text that begins with three, as files of Python do. */
function beginsWithThree(machine: Machine): boolean {
  const { at, text } = machine;
  const isFour = startsAt(machine, '""""', at) && codeAt(machine, at + 4) !== char.quote;
  const close = isFour ? findFrom(machine, '"""', at + 4) : -1;
  const next = afterWhitespace(text, close + 3);
  return close !== -1 && !isIn(',}]', codeAt(machine, next)) && !isQuotedKeyAt(machine, next);
}

const maxTemplate = 2_000;

/** Marks the text as uncertain if a string up to its quote computes a part of it: `f"{base}/out"`, `` `${base}/out` ``. */
function markTemplate(machine: Machine, from: number, quote: string, part: RegExp): void {
  const end = findFrom(machine, quote, from);
  if (part.test(machine.text.slice(from, Math.min(end === -1 ? from + maxTemplate : end, from + maxTemplate))))
    machine.isUncertain = true;
}

/** A string in quotes that JSON does not allow. The repair is named after the quotes. `{'a': “b”}` */
export const otherQuotes: Fix = attempt('other-quotes', 'safe', (machine, code) => {
  const delimiter = doubledAt(machine) ?? otherDelimiterAt(machine.text, machine.at);
  const isFence = code === char.backtick && isClosingFence(machine, machine.at);
  if (delimiter === undefined || isFence) return undefined;
  const isOfText = beginsWithThree(machine);
  if (machine.needsMore) return undefined;
  if (isOfText) {
    const next = begin(machine, doubleQuote);
    if (machine.token !== undefined) machine.token.at += 3;
    note(machine, 'inner-quote', 'lossy', machine.at + 1, machine.at + 4, '\\"\\"\\"');
    return next;
  }
  if (code === char.backtick)
    markTemplate(machine, machine.at + 1, '`', /^[^"'\n]*\$\{\s*[a-z][\w.[\]]*\s*\}[^"'\n]*$/);
  return begin(machine, delimiter);
});

/** A string with Python's letters before it. `{u'a': r"\d"}` */
export const prefixedString: Fix = attempt('string-prefix', 'safe', (machine, code) => {
  if (!isNameStart(code)) return undefined;
  const { at, text } = machine;
  const quoteAt = namePartsEnd(machine, at);
  const quote = codeAt(machine, quoteAt);
  const prefix = text.slice(at, quoteAt).toLowerCase();
  if ((quote !== char.quote && quote !== char.apostrophe) || !isStringPrefix(prefix)) return undefined;
  // `fr", "next": `, `b': 1`: the quote ends a text whose opening quote is missing.
  const isEnd =
    machine.state === 'beforeKey'
      ? nextCode(machine, quoteAt + 1) === char.colon
      : endsValueAt(machine, quoteAt + 1, true);
  if (isEnd) return undefined;
  if (machine.needsMore) return undefined;
  note(machine, 'string-prefix', 'safe', at, quoteAt, '');
  const delimiter = delimiterAt(text, quoteAt);
  if (prefix.includes('f'))
    markTemplate(machine, quoteAt + 1, text.charAt(quoteAt), /(?<!\{)\{[A-Za-z_][\w.[\]()]*(?:[:!][^{}]*)?\}/);
  machine.at = quoteAt;
  return begin(machine, prefix.includes('r') ? { ...delimiter, isRaw: true } : delimiter);
});

/** Returns whether a string in parentheses goes on in the next one. `("*.md" "*.ts")` are two items without a comma. */
function isSplitText({ at, text }: Machine, frame: Frame): boolean {
  const isText =
    frame.closer === char.closeParen && frame.kind === 'array' && frame.shape?.kinds?.has('array') !== true;
  if (!isText) return false;
  // Looks at the source, because joined text takes long to look at.
  const quote = beforeWhitespace(text, at) - 1;
  return isFirstOnLine(text, at) || isWhitespace(text.charCodeAt(quote - 1));
}

/**
 * Concatenated strings. The last one may be missing. The plus sign may be missing before a new line, or in parentheses if
 * the string before it ends with white space. `{"a": "x" + "y"}` `{"a": "x" + }` `{"a": ("x " "y")}`
 */
export const joinStrings: Fix = attempt('joined-strings', 'safe', (machine, code) => {
  const { frame } = machine;
  if (machine.last !== 'string' || frame === undefined) return undefined;
  const isInParens = mayOpenString(code) && isSplitText(machine, frame);
  const isPlain = isInParens || (code === char.quote && frame.kind === 'object');
  if (code !== char.plus && !isPlain) return undefined;
  const at = isPlain ? machine.at : nextToken(machine, machine.at + 1);
  const isOperand = isPlain && !isInParens ? isContinuedAt(machine, at) : mayOpenString(codeAt(machine, at));
  const isNone = !isPlain && isEndAt(machine, at);
  if (!(isOperand || isNone) || machine.needsMore) return undefined;
  note(machine, 'joined-strings', isNone ? 'lossy' : 'safe', machine.at, at, '');
  if (isNone) {
    machine.at = at;
    return 'afterValue';
  }
  const before = takeLast(frame);
  machine.at = at;
  const delimiter = delimiterAt(machine.text, at);
  const prefix = typeof before === 'string' ? before : '';
  return beginString(machine, 'value', delimiter, at + delimiter.open.length, prefix);
});
