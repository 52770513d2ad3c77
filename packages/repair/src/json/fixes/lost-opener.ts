import { nextToken } from '../lookahead/next-token.ts';
import { isFirstOnLine } from '../text/plain-text.ts';
import { isLaidOutAs, isQuotedKeyAt, nameAt } from '../lookahead/key-at.ts';
import { wordsEnd } from '../lookahead/name-end.ts';
import { closersAhead, markAmbiguous } from '../machine/closers.ts';
import type { Machine, State, StringToken } from '../machine/machine.ts';
import {
  codeAt,
  dueKinds,
  finishValue,
  lastOf,
  note,
  open,
  replaceLast,
  startsAt,
  takeLast,
  waitFor,
  waitForEnd,
} from '../machine/operations.ts';
import { isDeeperThan, isJsonObject } from '../result/json-value.ts';
import { matchEnd } from '../text/characters.ts';
import { deliverMissing } from './fix-values.ts';
import { attempt, openFrame, type Fix } from './fix.ts';
import * as char from '../text/char.ts';

const memberReach = 1_000;
// A quoted key and its value, which is a string with the comma or the closer after it, or begins like another value.
const memberPattern =
  /"[^"\\\n]{1,99}"\s{0,9}:\s{0,9}(?:"(?:[^"\\\n]|\\.){0,800}"\s{0,9}[,}\n]|-?\d|[[{]|(?:true|false|null)\b)/y;

/** A member where a value is expected. `{"a": "a": 1}` repeats the key, and `{"a":⏎"b": 1}` lacks the value or its brace. */
export function memberAsValue(machine: Machine): State | undefined {
  const { at, frame, text } = machine;
  if (frame?.key === undefined) return undefined;
  const isAgain = startsAt(machine, `"${frame.key}"`, at);
  if (!isAgain && !isFirstOnLine(text, at)) return undefined;
  const end = wordsEnd(machine, at + 1);
  const colon = codeAt(machine, end) === char.quote ? nextToken(machine, end + 1) : end;
  if (codeAt(machine, colon) !== char.colon) return undefined;
  waitFor(machine, at + memberReach);
  if (machine.needsMore || matchEnd(memberPattern, text, at) === -1) return undefined;
  if (isAgain) {
    note(machine, 'stray-word', 'lossy', at, colon + 1, '');
    machine.at = colon + 1;
    return 'beforeValue';
  }
  waitForEnd(machine);
  if (machine.needsMore) return undefined;
  return isOpenerMissing(machine, 'object', at) ? insertOpener(machine, 'object', at) : deliverMissing(machine);
}

const itemSource = /(?:"[^"\\\n]{0,200}"|-?\d[\d.]{0,30}|true|false|null)\s{0,20}/.source;
// Short strings, numbers and words with commas between them, the bracket that closes them, and what follows a value.
const itemsPattern = new RegExp(`(?:${itemSource},\\s{0,20}){1,99}${itemSource}\\]\\s{0,20}[,}]`, 'y');
// The beginning of such a list at the end of the text.
const begunPattern = new RegExp(
  `(?:${itemSource},\\s{0,20}){1,99}(?:"[^"\\\\\\n]{0,200}"?|[\\w.-]{0,30})\\s{0,20}\\]?\\s{0,20}$`,
  'y',
);
/**
 * `{"a": "b": 1}}`, `{"a": "b", "c"]}`: the brace or bracket before a value is missing, as its declaration or the number
 * of closers in the rest of the text shows. Without such evidence, marks the string as ambiguous. `quoteAt` is the first
 * quote inside the value.
 */
export function readLostOpener(machine: Machine, token: StringToken, quoteAt: number): State | undefined {
  const { frame, text } = machine;
  const { begin, role, start } = token;
  if (role !== 'value' || frame?.kind !== 'object' || token.delimiter.code !== undefined) return undefined;
  const next = codeAt(machine, nextToken(machine, quoteAt + 1));
  const isMember = next === char.colon && wordsEnd(machine, begin) === quoteAt && text[quoteAt - 1] !== ' ';
  if (!isMember && next !== char.comma) return undefined;
  if (isMember || matchEnd(begunPattern, text, start) !== -1) waitFor(machine, start + memberReach);
  if (machine.needsMore || matchEnd(isMember ? memberPattern : itemsPattern, text, start) === -1) return undefined;
  waitForEnd(machine);
  if (machine.needsMore) return undefined;
  const kind = isMember ? 'object' : 'array';
  if (!isOpenerMissing(machine, kind, start)) {
    markAmbiguous(machine, start, true);
    return undefined;
  }
  machine.token = undefined;
  return insertOpener(machine, kind, start);
}

/** Returns whether the declaration or the closers in the rest of the text show that a container was not opened. */
function isOpenerMissing(machine: Machine, kind: 'object' | 'array', at: number): boolean {
  return dueKinds(machine)?.has(kind) === true || closersAhead(machine, at) === machine.frames.length + 1;
}

function insertOpener(machine: Machine, kind: 'object' | 'array', at: number): State | undefined {
  note(machine, 'missing-opener', 'lossy', at, at, kind === 'object' ? '{' : '[');
  return openFrame(machine, kind, at - 1);
}

/**
 * A brace where a key is expected, with a key that the object before it has: the opening bracket of their list is
 * missing. `{"a": {"b": 1}, {"b": 2}}`
 */
export const rowsWithoutList: Fix = attempt('missing-opener', 'lossy', (machine, code) => {
  const { at, frame, frames, lastStart, limits } = machine;
  if (code !== char.openBrace || frame?.kind !== 'object' || frame.comma === -1) return undefined;
  const row = lastOf(frame);
  const key = nextToken(machine, at + 1);
  if (!isJsonObject(row) || !isQuotedKeyAt(machine, key)) return undefined;
  const name = nameAt(machine, key);
  // In `[{"a": {"a": 1}, {"a": {`, it is more likely the object around both that lacks its brace.
  const isNext = Object.hasOwn(row, name) && !Object.hasOwn(frame.members, name);
  // A stream has shown the object before as the whole value.
  if (isNext) waitForEnd(machine);
  // The list adds a level.
  if (!isNext || machine.needsMore || isDeeperThan(limits.depth - frames.length - 1, row)) return undefined;
  takeLast(frame);
  frame.comma = -1;
  note(machine, 'missing-opener', 'lossy', lastStart, lastStart, '[');
  open(machine, 'array', lastStart)?.items.push(row);
  return 'beforeValue';
});

/**
 * A bracket in the column of the keys, after a value on a separate line: the opening bracket before the value is missing.
 * `⏎  "a":⏎    1⏎  ],` A bracket alone is an empty list. `{"a": ], "b": 1}`
 */
export const listWithoutOpener: Fix = attempt('missing-opener', 'lossy', (machine, code) => {
  const { at, frame, frames, lastStart, limits, state, text } = machine;
  if (code !== char.closeBracket || frame?.kind !== 'object') return undefined;
  if (state === 'beforeValue') {
    const next = nextToken(machine, at + 1);
    const isEmpty =
      codeAt(machine, next) === char.comma
        ? isQuotedKeyAt(machine, nextToken(machine, next + 1))
        : codeAt(machine, next) === char.closeBrace;
    if (!isEmpty || machine.needsMore) return undefined;
    note(machine, 'missing-opener', 'lossy', at, at, '[');
    return finishValue(machine, [], 'container', at, at + 1);
  }
  if (!isLaidOutAs(machine, frame, at) || !isFirstOnLine(text, lastStart)) return undefined;
  const item = lastOf(frame) ?? null;
  // The list adds a level.
  if (isDeeperThan(limits.depth - frames.length - 1, item)) return undefined;
  replaceLast(frame, [item]);
  note(machine, 'missing-opener', 'lossy', lastStart, lastStart, '[');
  machine.at += 1;
  machine.last = 'container';
  return 'afterValue';
});
