import { likely } from '../lookahead/likelihood.ts';
import * as char from '../text/char.ts';
import { nextToken } from '../lookahead/next-token.ts';
import { isNameStart, matchEnd, toNarrow, isIn, isCloser, isWhitespace } from '../text/characters.ts';
import { closersAhead, hasOwnClosers } from '../machine/closers.ts';
import { isDamagedKeyAt, isPlainKeyAt } from '../lookahead/damaged-key.ts';
import { followAt } from '../lookahead/follows-at.ts';
import { afterWhitespace, isFirstOnLine } from '../text/plain-text.ts';
import {
  isNextRowAt,
  isStringBefore,
  nameAt,
  isQuotedKeyAt,
  mayBeQuotedKeyAt,
  mayBeNameKeyAt,
  isLaidOutAs,
} from '../lookahead/key-at.ts';
import { mayOpenString } from '../text/delimiters.ts';
import type { Frame, Machine, State } from '../machine/machine.ts';
import { isDeeperThan, type JsonValue } from '../result/json-value.ts';
import { close, codeAt, findFrom, note, replaceLast, dueClosers } from '../machine/operations.ts';

/** Handles the closer of the innermost container at the cursor. `{"a": 1|}` */
export function closeFrame(machine: Machine): State | undefined {
  const { frame } = machine;
  if (frame === undefined) return undefined;
  const goesOn = hasMembersAfter(machine, frame) || isLaidOutOn(machine, frame) || isListOn(machine, frame);
  if (machine.needsMore) return undefined;
  if (goesOn) return passCloser(machine);
  const hasItems = hasItemsAfter(machine, frame);
  const isDoubled = frame.isDoubled && codeAt(machine, machine.at + 1) === frame.closer;
  if (machine.needsMore) return undefined;
  if (hasItems) return machine.ended ? passListCloser(machine, frame) : passCloser(machine);
  return endFrame(machine, frame, machine.at + (isDoubled ? 2 : 1));
}

/** Closes the innermost container, whose closer ends at an offset. */
function endFrame(machine: Machine, frame: Frame, end: number): State | undefined {
  if (frame.comma !== -1) note(machine, 'trailing-comma', 'safe', frame.comma, frame.comma + 1, '');
  machine.at = end;
  close(machine, end);
  const parent = machine.frame;
  if (parent === undefined) {
    if (machine.ended)
      machine.hasAmbiguousEnd ||=
        (frame.kind === 'object' && isCutAfterRoot(machine, frame)) || !hasOwnClosers(machine, end, frame);
    return undefined;
  }
  // `(4)`: a single value in parentheses is that value, not a list with one item.
  const isSingle = frame.closer === char.closeParen && frame.comma === -1 && frame.items.length === 1;
  if (isSingle) replaceLast(parent, frame.items[0] ?? null);
  return 'afterValue';
}

/** `{"a": 1}, "b": 2}`, `{"a": 1}}, "b": 2}`, `[{"a": {}}, "b": 2}]`: returns whether members of an object follow its brace. */
function hasMembersAfter(machine: Machine, { hasBareKeys, kind, members }: Frame): boolean {
  const { at, frames, text } = machine;
  const isRow = frames.at(-2)?.kind === 'array' && text[at - 1] === '}';
  if (kind !== 'object' || !(isRow || frames.length === 1)) return false;
  let sign = nextToken(machine, at + 1);
  if (codeAt(machine, sign) === char.closeBrace) sign = nextToken(machine, sign + 1);
  const separator = toNarrow(codeAt(machine, sign));
  const isNextLine = separator === char.quote && (sign === at + 1 || isFirstOnLine(text, sign));
  const isSeparated = separator === char.comma || separator === char.semicolon;
  if (!isSeparated && !isNextLine) return false;
  const key = isSeparated ? nextToken(machine, sign + 1) : sign;
  if (isRow && Object.hasOwn(members, nameAt(machine, key))) return false;
  const isKey =
    isQuotedKeyAt(machine, key) || isDamagedKeyAt(machine, key) || (hasBareKeys && isPlainKeyAt(machine, key));
  return isKey && (!isRow || closersAhead(machine, at + 1) === frames.length);
}

/** Skips a closer that closes nothing. */
function passCloser(machine: Machine): State {
  note(machine, 'extra-closer', 'lossy', machine.at, machine.at + 1, '');
  machine.at += 1;
  machine.last = 'container';
  return 'afterValue';
}

const maxSearched = 1_000;
// `[3, 4], [5, 6]]`: rows, and the bracket of a list around them.
const rowsPattern = /(?:\[[^[\]{}]{0,400}\]\s{0,20}(?:,\s{0,20})?)+\]/y;

/** Handles the closer of a list that goes on: `[[1], 2], [3]]`, `["a"], ["b"], "key":`, `[1, 2], [3, 4]], "key":`. */
function passListCloser(machine: Machine, { items, start }: Frame): State {
  const { at, text, frames } = machine;
  const next = nextToken(machine, nextToken(machine, at + 1) + 1);
  // Only the last items are searched, because a long list may have many closers.
  const recent = items.slice(-maxSearched);
  const lastRow = recent.map((item) => Array.isArray(item)).lastIndexOf(true);
  const loose = lastRow === -1 ? 0 : items.length - recent.length + lastRow + 1;
  if (text.charCodeAt(next) !== char.openBracket || loose === items.length) return passCloser(machine);
  if (loose === 0 && closersAhead(machine, at) > frames.length && matchEnd(rowsPattern, text, next) !== -1) {
    return closeRow(machine, items, 0, start);
  }
  const end = findFrom(machine, ']', next);
  if (loose === 0 && end !== -1 && followAt(machine, end + 1, frames.length - 2, false) === likely) {
    note(machine, 'extra-closer', 'lossy', at, next + 1, ',');
    machine.at = next + 1;
    return 'beforeValue';
  }
  const row = items[loose - 1];
  if (!Array.isArray(row) || row.length !== items.length - loose) return passCloser(machine);
  return closeRow(machine, items, loose, at);
}

/** Turns the items from an index on into a row, whose opener is missing at an offset. Its closer is at the cursor. */
function closeRow(machine: Machine, items: JsonValue[], first: number, opener: number): State {
  const { frames, limits } = machine;
  const row = items.slice(first);
  // The row adds a level.
  if (isDeeperThan(limits.depth - frames.length, row)) return passCloser(machine);
  items.splice(first, row.length, row);
  note(machine, 'missing-opener', 'lossy', opener, opener, '[');
  machine.at += 1;
  machine.last = 'container';
  return 'afterValue';
}

/** Returns whether the next line shows by its indentation that a second closer is superfluous. */
function isLaidOutOn(machine: Machine, frame: Frame): boolean {
  const { at, text, frames } = machine;
  if (!isCloser(text.charCodeAt(at - 1)) || text[at + 1] !== ',' || !isWhitespace(text.charCodeAt(frame.start + 2)))
    return false;
  // In a valid document, the rest closes everything else, and this closer is needed.
  return isLaidOutAs(machine, frame, afterWhitespace(text, at + 2)) && closersAhead(machine, at + 1) >= frames.length;
}

/** `[{"a": 1}]}, {"a": 2}]`: returns whether objects go on after the bracket of the outermost list, which closes again. */
function isListOn(machine: Machine, { kind }: Frame): boolean {
  const { at, frames, text } = machine;
  if (kind !== 'array' || frames.length > 1 || !machine.ended) return false;
  const brace = nextToken(machine, at + 1);
  const extra = Number(text[brace] === '}');
  const comma = nextToken(machine, brace + extra);
  const goesOn = text[comma] === ',' && text[nextToken(machine, comma + 1)] === '{';
  return goesOn && closersAhead(machine, at + 1) > extra;
}

/** `{"a": [[1]], 2], "b": 3}`: returns whether items of a list follow its bracket, where a key is expected. */
function hasItemsAfter(machine: Machine, { kind }: Frame): boolean {
  if (kind !== 'array' || machine.frames.at(-2)?.kind !== 'object') return false;
  const comma = nextToken(machine, machine.at + 1);
  if (toNarrow(codeAt(machine, comma)) !== char.comma) return false;
  const at = nextToken(machine, comma + 1);
  const code = codeAt(machine, at);
  if (code === char.openBracket) return true;
  if (code === char.openBrace) return !isNextRowAt(machine, at, machine.frames.length - 2, true);
  if (code !== char.quote || mayBeQuotedKeyAt(machine, at) || isDamagedKeyAt(machine, at)) return false;
  // `"a": [1], "b", "c", "d": 2`: too few closers follow for a list that goes on, so a comma stands for a colon.
  if (!isStringBefore(machine, at, ']')) return false;
  const closers = closersAhead(machine, at);
  return closers === -1 || closers >= machine.frames.length;
}

/** `{"a": 1}, "b`: returns whether the text may have been cut in members after the root's brace. */
function isCutAfterRoot(machine: Machine, root: Frame): boolean {
  const at = nextToken(machine, machine.at);
  const sign = toNarrow(codeAt(machine, at));
  if (sign === char.comma || (sign === char.semicolon && machine.hasSemicolons))
    return mayBeginKey(machine, nextToken(machine, at + 1), root.hasBareKeys);
  // A quote directly after the root ends a quotation around it, or begins a key after a missing comma.
  return sign === char.quote && machine.text.charCodeAt(root.start - 1) !== char.quote && mayBeQuotedKeyAt(machine, at);
}

/** Returns whether a key, or a comment before one, may begin at an offset. */
function mayBeginKey(machine: Machine, at: number, mayBeBare: boolean): boolean {
  const code = codeAt(machine, at);
  if (isNameStart(code)) return mayBeNameKeyAt(machine, at) && mayBeBare;
  return code === char.end || isIn('&/#\\', code) || mayOpenString(code);
}

/**
 * Closes everything that is open at the end of the text, and records how the text ended: `open` after a complete value,
 * `cut` inside one or after a comma, a colon or a key. `code` names the part that was cut.
 */
export function endOfText(machine: Machine, ending: 'open' | 'cut', code?: string, start?: number): undefined {
  const { frames, text } = machine;
  const end = text.length;
  const risk = ending === 'cut' || machine.stopped !== 'stop' ? 'truncated' : 'lossy';
  if (code !== undefined) note(machine, code, 'truncated', start ?? end, end, '');
  if (frames.length > 0) note(machine, 'unclosed', risk, end, end, dueClosers(machine, -1));
  machine.ending = ending;
  // Containers that were closed before may be complete, such as the arguments in a wrapper object.
  if (machine.ended) machine.hasAmbiguousEnd ||= !hasOwnClosers(machine, end, frames[0]);
  machine.cutKey = machine.frame?.key;
  machine.unclosed = frames.map((frame) => (frame.kind === 'array' ? frame.items : frame.members));
  if (frames[0]?.kind === 'call') machine.positional = frames[0].items;
  frames.length = 0;
  machine.frame = undefined;
  machine.rootEnd = end;
  machine.at = end;
  return undefined;
}
