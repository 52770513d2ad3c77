import * as char from '../text/char.ts';
import { isQuotedKeyAt } from '../lookahead/key-at.ts';
import { isNameStart, isOpener, matchEnd, memberValueSource } from '../text/characters.ts';
import { isOfProse, isReference } from './prose-brackets.ts';
import { nextToken } from '../lookahead/next-token.ts';
import { type FirstState, Machine } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';
import { mayOpenString, otherDelimiterAt } from '../text/delimiters.ts';
import { afterWhitespace, isTerminalCode } from '../text/plain-text.ts';
import { orphanReasoningEnd, reasoningEnd } from '../text/reasoning.ts';

/** The position of a text's first value, and the state in which reading it begins. */
export interface Root {
  /** The offset after reasoning whose opening tag is missing. */
  readonly begin: number;
  /** The offset of the value, or -1 for a text without an object or a list. */
  readonly start: number;
  readonly state: FirstState;
}

/** Finds the first value of a text. */
export function findRoot(text: string): Root {
  const first = text.search(/\S/);
  const begin = text[first] === '{' || text[first] === '[' ? first : orphanReasoningEnd(text);
  const implied = followableKeyAt(text, begin);
  if (implied !== -1) return { begin, start: implied, state: 'members' };
  const start = findContainer(text, begin);
  const fenced = start === -1 ? -1 : fencedKeyAt(text, begin);
  return fenced === -1 || fenced > start
    ? { begin, start, state: 'beforeValue' }
    : { begin, start: fenced, state: 'members' };
}

// The first line of a fence, and a quote.
const fencedPattern = /```\w*[ \t]*\r?\n\s*(?=")/;

/** Returns the offset of a quoted key at the beginning of the first fence, whose object lacks its opening brace, or -1. */
function fencedKeyAt(text: string, from: number): number {
  const fence = text.indexOf('```', from);
  const [begun = ''] = fence === -1 ? [] : (fencedPattern.exec(text.slice(fence, fence + maxFence)) ?? []);
  return begun !== '' && text.startsWith(begun, fence) ? followableKeyAt(text, fence + begun.length) : -1;
}

const maxFence = 200;

/** Returns the offset of an object without its opening brace, or -1. */
export function followableKeyAt(text: string, from: number): number {
  // Most texts begin with an opener or a word.
  const begin = afterWhitespace(text, from);
  const first = text.charCodeAt(begin);
  if (isOpener(first)) return -1;
  if (isNameStart(first)) return beginsMembers(text, begin) ? begin : -1;
  const machine = new Machine({ text, at: from, ended: true, state: 'beforeValue' });
  const at = nextToken(machine, from);
  const isQuoted = mayOpenString(codeAt(machine, at)) || otherDelimiterAt(text, at) !== undefined;
  return (isQuoted && isQuotedKeyAt(machine, at)) || beginsMembers(text, at) ? at : -1;
}

// Prose also contains words with a colon. Only a second key after a value proves an object.
const keySource = /(?:["']?[A-Za-z_$][\w$-]{0,63}["']?\s{0,9}(?::=?|=>?)\s{0,9}|"[A-Za-z_$][\w$-]{0,63}"\s{0,9})/
  .source;
const valueSource =
  /(?:"(?:[^"\\]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'|-?\d[\d.]{0,30}|true|false|null|True|False|None|\[[^[\]{}]{0,2000}\])/
    .source;
const nextSource =
  /(?:(?:(?:\s|\\[nrt]){0,200}[,;]){1,3}(?:\s|\\[nrt]){0,200}|(?<="))["']?[A-Za-z_$][\w$-]{0,63}["']?\s{0,9}[:=]/
    .source;
const membersPattern = new RegExp(keySource + valueSource + nextSource, 'y');

const beginsMembers = (text: string, at: number): boolean => matchEnd(membersPattern, text, at) !== -1;

const blank = /(?:\s|\ufeff|\\[ntr])*/.source;
const name = /[\w$\u00c0-\u1fff\u3040-\ud7ff][\w$.\u00c0-\u1fff\u3040-\ud7ff-]*/.source;
const quote = /["'`\u00b4\u201c\u201d\u201e\u2018\u2019\u00ab\uff02]|&quot;|&#3[49];|<escape>|<\|"\|>/.source;
const word = /(?:true|false|null|True|False|None|NaN|undefined)\b/.source;

// In `{name "x", …}` the colon is missing.
const afterBracePattern = new RegExp(
  `${blank}(?!\`\`\`)(?:$|${quote}|[}\uff5d\\\\/#,]|:(?:"|\\w{1,64}\\s{0,9}=>)|${name}["\\\\]?${blank}(?:$|[:=\uff1a])|(?!case |return )${name}(?: ${name}){1,3}:(?=\\s?["[{\\d-])|(?!return)${name}["\\\\]?${blank}(?<=\\s)${memberValueSource})`,
  'y',
);
// A time or date alone in brackets, `[12:30:05]`, begins a line of a log.
const afterBracketPattern = new RegExp(
  `${blank}(?!\`\`\`)(?:$|${quote}|[{[\\]\uff3b\uff3d\uff5b\\\\/(]|(?!\\d{1,4}[:/-]\\d[^,\\][{}]{0,40}\\])[\\d-]|(?:\\.{3,}|\u2026)\\s{0,9},?\\s{0,9}["{[]|${word})`,
  'y',
);
/**
 * Returns the offset of the next object or list, or -1. Skips closed reasoning, and brackets and braces of prose. Those that
 * the line around them shows are not skipped if the text is a part whose line is not known.
 */
export function findContainer(text: string, from: number, isPart = false): number {
  const unending = new Set<string>();
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === char.less || code === char.openBracket || code === 0x25c1) {
      const end = reasoningEnd(text, at, unending);
      if (end !== -1) {
        at = end - 1;
        continue;
      }
    }
    if (!isPart && isOpener(code) && isOfProse(text, at)) continue;
    if ((code === char.openBrace || code === 0xff5b) && matchEnd(afterBracePattern, text, at + 1) !== -1) return at;
    if (
      (code === char.openBracket || code === 0xff3b) &&
      matchEnd(afterBracketPattern, text, at + 1) !== -1 &&
      !isTerminalCode(text, at) &&
      !isReference(text, at)
    )
      return at;
  }
  return -1;
}
