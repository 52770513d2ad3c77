import * as char from './char.ts';
import { isDigit, isNamePart, isNameStart, isWhitespace, toNarrow } from './characters.ts';
import { mayOpenString, otherDelimiterAt } from './delimiters.ts';
import { reasoningEnd } from './reasoning.ts';

/** Where the next object or list begins, skipping braces of prose and closed reasoning; -1 when none does. */
export function findContainer(text: string, from: number): number {
  const unending = new Set<string>();
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === char.openBracket) {
      const end = reasoningEnd(text, at, unending);
      if (end !== -1) {
        at = end - 1;
        continue;
      }
    }
    const narrow = toNarrow(code);
    if (
      (narrow === char.openBrace && beginsObject(text, at + 1)) ||
      (narrow === char.openBracket && beginsList(text, at + 1))
    ) {
      return at;
    }
  }
  return -1;
}

function beginsObject(text: string, from: number): boolean {
  const at = skipBlank(text, from);
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  if (text.startsWith('```', at)) return false;
  if (mayOpenString(code) || toNarrow(code) === 0x7d || code === char.backslash) return true;
  if (code === char.colon) return text.charCodeAt(at + 1) === char.quote;
  if (code === char.slash || code === char.hash || code === 0x2c || otherDelimiterAt(text, at) !== undefined)
    return true;
  if (!isNameStart(code) && !isDigit(code)) return false;
  let end = at;
  while (end < text.length && isNamePart(text.charCodeAt(end))) end += 1;
  if (text[end] === '"' || text[end] === '\\') end += 1;
  end = skipBlank(text, end);
  if (end >= text.length || text[end] === ':' || text[end] === '=' || text[end] === '\uff1a') return true;
  valuePattern.lastIndex = end;
  return isWhitespace(text.charCodeAt(end - 1)) && text.slice(at, at + 6) !== 'return' && valuePattern.test(text);
}

// A value and what follows one: in `{name "x", …}` the colon is missing.
const valuePattern =
  /(?:"[^"\n]{0,200}"|-?\d[\d.]{0,20}|true|false|null|True|False|None)\s{0,20}[,}]|[[{]\s{0,20}["{[\d-]/y;

const wordsPattern = /(?:true|false|null|True|False|None|NaN|undefined)\b/y;

function beginsList(text: string, from: number): boolean {
  const at = skipBlank(text, from);
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  const narrow = toNarrow(code);
  if (text.startsWith('```', at)) return false;
  if (mayOpenString(code) || narrow === char.openBrace || narrow === char.openBracket || narrow === 0x5d) return true;
  if (isDigit(code) || code === char.minus) return !isReference(text, from, at);
  if (code === char.backslash || code === char.slash || code === 0x28) return true;
  wordsPattern.lastIndex = at;
  return otherDelimiterAt(text, at) !== undefined || wordsPattern.test(text);
}

/** `see [1]` and `[1](address)` in prose. */
function isReference(text: string, from: number, at: number): boolean {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  if (text[end] !== ']') return false;
  const before = text[from - 2];
  return text[end + 1] === '(' || (before !== undefined && before !== '\n');
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isWhitespace(code) || code === 0xa0 || code === 0xfeff) at += 1;
    else if (code === char.backslash && (text[at + 1] === 'n' || text[at + 1] === 't' || text[at + 1] === 'r')) at += 2;
    else return at;
  }
}
