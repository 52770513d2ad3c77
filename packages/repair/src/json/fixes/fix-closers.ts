import { codeBefore } from '../text/plain-text.ts';
import { likely, possible, unlikely, type Likelihood } from '../lookahead/likelihood.ts';
import { closeFrame } from '../actions/closing.ts';
import { nextCode, nextToken, passClosers } from '../lookahead/next-token.ts';
import { closersAhead, markUncertainList, readCloserRun } from '../machine/closers.ts';
import { followAt } from '../lookahead/follows-at.ts';
import { isNextRowAt, isQuotedKeyAt } from '../lookahead/key-at.ts';
import { attempt, replace, type Fix } from './fix.ts';
import type { Machine } from '../machine/machine.ts';
import { close, closeTo, codeAt, dueClosers, note } from '../machine/operations.ts';
import { isCloser, isIn, toNarrow } from '../text/characters.ts';
import * as char from '../text/char.ts';

/**
 * A closer that does not match: others are missing before it, another one was meant, or it is superfluous. Chooses the
 * reading after which the following text is the most likely, and otherwise by the number of closers in the rest. `{"a": [1, 2}` `{"a": [1, 2}}` `{"a": 1]}`
 */
export const wrongCloser: Fix = attempt('wrong-closer', 'lossy', (machine, code) => {
  const { at, frames, text } = machine;
  const closer = toNarrow(code);
  const top = frames.length - 1;
  if (!isCloser(closer) || top < 0) return undefined;
  let fitting = top;
  while (fitting >= 0 && frames[fitting]?.closer !== closer) fitting -= 1;
  const through = fitting < 0 ? -1 : throughTo(machine, at + 1, fitting);
  const instead = followAt(machine, at + 1, top - 1, true);
  const without = followAt(machine, at + 1, top, true);
  if (machine.needsMore) return undefined;
  const best = Math.max(through, instead, without);
  if (best === unlikely) return undefined;
  if (fitting === top) {
    note(machine, 'full-width', 'safe', at, at + 1, String.fromCharCode(closer));
    return closeFrame(machine);
  }
  const rest = instead === unlikely && without !== likely ? -1 : closersAhead(machine, at + 1);
  // The rest of the text closes everything that is open without this closer.
  const isExtra = without === likely && rest === frames.length;
  if (through === best && rest !== top && !isExtra) {
    // It may belong to an inner container instead; the closer that it is taken for was then cut off.
    const isOnlyDamage = machine.risk === 'none' || machine.risk === 'safe';
    const isCertain = isOnlyDamage && rest === fitting && frames[top - 1]?.kind === 'array' && isKeyNext(machine);
    if (fitting === 0 || (instead !== unlikely && !isCertain)) machine.hasAmbiguousEnd = true;
    note(machine, 'missing-closer', 'lossy', at, at, dueClosers(machine, fitting));
    for (const frame of frames.slice(fitting + 1)) markUncertainList(machine, frame);
    closeTo(machine, fitting, at);
    return closeFrame(machine);
  }
  if (rest === top || (instead === best && !(without === best && rest > top))) {
    // `{"a": [1]]`: the same closer twice, and no closer of the root.
    if (top === 0 && codeBefore(text, at) === code) machine.hasAmbiguousEnd = true;
    note(machine, 'wrong-closer', 'lossy', at, at + 1, String.fromCharCode(frames[top]?.closer ?? closer));
    return closeFrame(machine);
  }
  // `"a"]}`: the opener of a list with one item may be missing instead.
  if (machine.last === 'string' && fitting >= 0) machine.isUncertain = true;
  note(machine, 'extra-closer', 'lossy', at, at + 1, '');
  machine.at += 1;
  return 'afterValue';
});

/** `], "next":`: returns whether a key follows the closer at the cursor, so that a list would end there. */
function isKeyNext(machine: Machine): boolean {
  const comma = nextToken(machine, machine.at + 1);
  return codeAt(machine, comma) === char.comma && isQuotedKeyAt(machine, nextToken(machine, comma + 1));
}

/** A closer that does not match where a value is expected. It closes nothing, and the value follows. `{"a": ] 1}` */
export const strayCloser: Fix = replace('extra-closer', 'lossy', '', 'beforeValue', ({ frame }, code) => {
  const closer = toNarrow(code);
  return frame !== undefined && frame.kind !== 'array' && closer !== frame.closer && isCloser(closer) && 1;
});

/** Returns how likely the closer ends the container at a level. The root ends only if nothing continues after it. */
function throughTo(machine: Machine, after: number, level: number): Likelihood {
  const likelihood = followAt(machine, after, level - 1, true);
  const closed = passClosers(machine, after, level - 1);
  const isRootDone = closed.level < 0 && isIn(',]}', toNarrow(nextCode(machine, closed.end)));
  return isRootDone && likelihood === likely ? possible : likelihood;
}

/** Returns whether the end of a string was ambiguous, so that closers may belong to it. */
function isAfterAmbiguous({ at, ambiguous, text }: Machine): boolean {
  return ambiguous.some(({ start }) => !/^"[^"{}[\]]*"[\s}\]]*$/.test(text.slice(start, at)));
}

/** Returns whether white space or a closing fence ends the document at an offset, and no bracket follows. */
const isLastCloser = (text: string, end: number): boolean => /^\s*(?:$|```[^[\]{}]*$)/.test(text.slice(end));

/**
 * The expected closers in another order, at the end of the text or where the rest of the text closes what is still open
 * then. `[{"a": 1]}` `[{"a": [{"b": 1}}]}, {"c": 2}]`
 */
export const transposedClosers: Fix = attempt('transposed-closers', 'safe', (machine) => {
  const { at, frames, text } = machine;
  if (!machine.ended || isAfterAmbiguous(machine)) return undefined;
  const run = readCloserRun(machine, at, frames.length - 1);
  if (run === undefined) return undefined;
  const { end, level } = run;
  const closesAll = level === -1 ? isLastCloser(text, end) : closersAhead(machine, end) === level + 1;
  if (!closesAll || followAt(machine, end, level, true) !== likely) return undefined;
  note(machine, 'transposed-closers', 'safe', at, end, '');
  closeTo(machine, level, end);
  machine.at = end;
  return 'afterValue';
});

/**
 * A brace where a key is expected, or in the column of the row's own brace: the row before it was not closed.
 * `[{"a": 1, {"a": 2}]`
 */
export const rowWithoutCloser: Fix = attempt('missing-closer', 'lossy', (machine, code) => {
  const { at, frame, frames } = machine;
  if (code !== char.openBrace || frame === undefined || frames.at(-2)?.kind !== 'array') return undefined;
  const hasComma = frame.comma !== -1;
  if (!hasComma && !isNextRowAt(machine, at, frames.length - 1, false)) return undefined;
  note(machine, 'missing-closer', 'lossy', at, at, hasComma ? '}' : '},');
  close(machine, at);
  return 'beforeValue';
});
