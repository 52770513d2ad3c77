import { isNameStart } from '../text/characters.ts';
import { afterBetween, mayBeginFiller } from '../lookahead/skip-between.ts';
import { Machine } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';
import { certain, quotedKeyAt } from '../lookahead/key-at.ts';
import { mayOpenString, otherDelimiterAt } from '../text/delimiters.ts';
import { afterWhitespace } from '../text/plain-text.ts';
import { findContainer } from '../text/find-root.ts';
import { orphanReasoningEnd } from '../text/reasoning.ts';
import { toMachineLimits, type ValueForm } from './read-value.ts';
import { matchEnd } from '../text/match-end.ts';

/** The position and the form of a text's first value. */
export interface Root {
  /** The offset after reasoning whose opening tag is missing. */
  readonly begin: number;
  /** The offset of the value, or -1 for a text without an object or a list. */
  readonly start: number;
  readonly form: ValueForm;
}

/** Finds the first value of a text. */
export function findRoot(text: string): Root {
  const first = text.search(/\S/);
  const begin = text[first] === '{' || text[first] === '[' ? first : orphanReasoningEnd(text);
  const implied = followableKeyAt(text, begin);
  return implied === -1
    ? { begin, start: findContainer(text, begin), form: 'value' }
    : { begin, start: implied, form: 'members' };
}

/**
 * Returns the offset of an object without its opening brace, or -1: the text starts with a quoted key and a colon, or
 * with an unquoted key, a plain value and another key.
 */
export function followableKeyAt(text: string, from: number): number {
  const begin = afterWhitespace(text, from);
  const first = text.charCodeAt(begin);
  if (isNameStart(first)) return beginsMembers(text, begin) ? begin : -1;
  if (!mayOpenString(first) && !mayBeginFiller(first) && otherDelimiterAt(text, begin) === undefined) return -1;
  const limits = toMachineLimits();
  const machine = new Machine({ text, at: from, ended: true, state: 'beforeValue', stopped: false, limits });
  const at = afterBetween(machine, from);
  if (isNameStart(codeAt(machine, at))) return beginsMembers(text, at) ? at : -1;
  if (!mayOpenString(codeAt(machine, at)) && otherDelimiterAt(text, at) === undefined) return -1;
  return quotedKeyAt(machine, at, true) === certain || beginsMembers(text, at) ? at : -1;
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

function beginsMembers(text: string, at: number): boolean {
  return matchEnd(membersPattern, text, at) !== -1;
}
