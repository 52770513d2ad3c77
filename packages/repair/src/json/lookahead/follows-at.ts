import { possible, unlikely, likely, type Likelihood, type Place } from './likelihood.ts';
import { nextToken, nextCode } from './next-token.ts';
import {
  isCloser,
  isNameStart,
  toNarrow,
  isIn,
  isDigit,
  isOddSpace,
  matchEnd,
  memberValueSource,
} from '../text/characters.ts';
import {
  isDamagedKeyAt,
  isValueWordAt,
  loneKeyEnd,
  isHalfQuotedKeyAt,
  isPlainKeyAt,
  isValueAt,
  opensContainerAt,
} from './damaged-key.ts';
import { mayOpenString, tokenQuote } from '../text/delimiters.ts';
import type { Machine, Frame } from '../machine/machine.ts';
import { codeAt, findFrom, startsAt, waitFor } from '../machine/operations.ts';
import { readCloserRun } from '../machine/closers.ts';
import {
  isEllipsisAt,
  isEndAt,
  endsCodeAt,
  isWrapperEnd,
  beginsValue,
  itemAt,
  otherAt,
  isContinuedAt,
  isEntityAt,
} from './item-at.ts';
import {
  isNextRowAt,
  wordsBeforeKeyEnd,
  nameKeyAt,
  quotedKeyAt,
  hasValueAfterKey,
  isClosingFence,
  isHalfQuotedBeforeValue,
  isLaidOutAs,
  isKeyOfLineAt,
  isQuotedMemberAt,
} from './key-at.ts';
import { isDeclaredKeyAt } from './declared-text.ts';
import { nameEnd, namePartsEnd } from './name-end.ts';
import { isFirstOnLine } from '../text/plain-text.ts';
import * as char from '../text/char.ts';

const maxCommas = 16;

/**
 * The follow rule: returns how likely the text at `from` follows a complete value inside the frame at `level` (-1 for
 * the root). Looks past closers up to the next key, value, or the end of the text. With `isDamaged`, the value is known
 * to be damaged, so the end of the text proves nothing. With `mayForgive`, dots and closers that do not match may follow.
 */
export function followAt(
  machine: Machine,
  from: number,
  level: number,
  isDamaged: boolean,
  mayForgive: boolean = !isDamaged,
): Likelihood {
  const begin = nextToken(machine, from);
  let depth = level;
  let at = begin;
  let hasComma = false;
  let commas = 0;
  for (;;) {
    if (at !== begin) at = nextToken(machine, at);
    const code = toNarrow(codeAt(machine, at));
    const frame = depth < 0 ? undefined : machine.frames[depth];
    if (code === char.end) return frame === undefined || !isDamaged ? likely : possible;
    if (frame === undefined) return afterRootAt(machine, { at, code, hasComma, isDamaged });
    if (code === frame.closer) {
      depth -= 1;
      at += 1;
      hasComma = false;
    } else if (code === char.comma || code === char.semicolon) {
      // After a quote inside text, a semicolon is more likely code.
      if (code === char.semicolon && isDamaged && frame.kind === 'array' && !machine.hasSemicolons) return possible;
      at += 1;
      hasComma = true;
      // Without a limit, a long row of commas would be searched again from each comma.
      commas += 1;
      if (commas > maxCommas) return possible;
    } else if (at === from && code === char.less && startsAt(machine, tokenQuote, at)) {
      // `'x'<|"|>, `: a stray quote.
      at += tokenQuote.length;
    } else if (mayForgive && isCloser(code)) {
      return afterOddCloser(machine, at, depth);
    } else if (mayForgive && isEllipsisAt(machine, at)) {
      at += 1;
      while (codeAt(machine, at) === char.dot) at += 1;
      // `query="…"`: a quoted ellipsis is text.
      if (codeAt(machine, at) === char.quote) return unlikely;
      hasComma = false;
    } else if (frame.kind === 'object') {
      const lone = hasComma && !isDamaged ? loneKeyEnd(machine, at) : -1;
      if (lone !== -1) {
        at = lone;
        hasComma = false;
        continue;
      }
      // `"a"], [`: a list where a key is expected continues the list before it.
      const isList = code === char.openBracket && machine.frames[depth + 1]?.kind === 'array';
      if (!isDamaged && ((hasComma && isList) || isNextRowAt(machine, at, depth, hasComma))) return likely;
      return memberAt(machine, { at, code, hasComma, isDamaged }, frame);
    } else if (frame.kind === 'array') {
      return itemAt(machine, { at, code, hasComma, isDamaged }, at === begin ? from : -1);
    } else {
      return argumentAt(machine, { at, code, hasComma, isDamaged });
    }
  }
}

/** Returns whether the text at an offset usually follows a value of the innermost container. */
export const endsValueAt = (machine: Machine, at: number, isDamaged: boolean): boolean =>
  followAt(machine, at, machine.frames.length - 1, isDamaged) === likely;

/** After a closer that does not match: it may be superfluous, transposed, or written instead of the expected one. */
function afterOddCloser(machine: Machine, at: number, depth: number): Likelihood {
  const run = readCloserRun(machine, at, depth);
  if (run !== undefined && followAt(machine, run.end, run.level, false, false) === likely) return likely;
  if (followAt(machine, at + 1, depth, false, false) === likely) return likely;
  return Math.max(possible, followAt(machine, at + 1, depth - 1, false, false)) as Likelihood;
}

function memberAt(machine: Machine, place: Place, frame: Frame): Likelihood {
  const { at, code, hasComma, isDamaged } = place;
  if (hasComma && isKeyOfLineAt(machine, frame, at)) return likely;
  if (isClosingFence(machine, at)) return isDamaged ? unlikely : likely;
  // The text may end between a backslash and its quote.
  const next = code === char.backslash ? codeAt(machine, at + 1) : code;
  const isEscaped = next !== code && (next === char.end || mayOpenString(next));
  if (mayOpenString(code) || isEscaped || isEntityAt(machine, at, code)) return quotedMemberAt(machine, place, frame);
  return isNameStart(code) || isDigit(code) ? nameMemberAt(machine, place, frame) : otherAt(machine, place);
}

function quotedMemberAt(machine: Machine, { at, hasComma, isDamaged }: Place, frame: Frame): Likelihood {
  if (!hasComma && isContinuedAt(machine, at)) return likely;
  const likelihood = quotedKeyAt(machine, at, isDamaged);
  if (likelihood === likely) return isDamaged && !hasValueAfterKey(machine, at) ? unlikely : likely;
  if (isDamaged) {
    const mayBeKey = hasComma && (isLaidOutAs(machine, frame, at) || opensContainerAt(machine, at));
    return mayBeKey && isDamagedKeyAt(machine, at) ? likely : likelihood;
  }
  if (!hasComma && isTouchedAt(machine, at)) return possible;
  // `, ""next": …`: the key opens with one quote too many.
  const isDoubled = hasComma && startsAt(machine, '""', at) && isQuotedMemberAt(machine, at + 1);
  if (isDoubled || (hasComma && isDeclaredKeyAt(machine, frame, at))) return likely;
  return isDamagedKeyAt(machine, at) ? likely : likelihood;
}

function nameMemberAt(machine: Machine, { at, hasComma, isDamaged }: Place, { hasBareKeys }: Frame): Likelihood {
  if (hasComma && (isBareMemberAt(machine, at) || (!isDamaged && wordsBeforeKeyEnd(machine, at) !== -1))) return likely;
  const likelihood = nameKeyAt(machine, at, isDamaged);
  if (isDamaged) {
    if (likelihood === unlikely) return unlikely;
    if (hasComma && isHalfQuotedKeyAt(machine, at)) return likely;
    return hasComma && hasBareKeys ? likelihood : possible;
  }
  if (likelihood === unlikely) {
    if (hasBareKeys && isNamesBeforeValue(machine, at, hasComma)) return likely;
    if (hasComma && isHalfQuotedBeforeValue(machine, at)) return likely;
    // `oops}`: a stray word before the end of the object.
    return hasComma && isCloser(nextCode(machine, namePartsEnd(machine, at))) ? possible : unlikely;
  }
  const isNext = hasComma || isFirstOnLine(machine.text, at);
  if (isNext || (isAfterQuote(machine, at) && isHalfQuotedKeyAt(machine, at))) return likely;
  return hasBareKeys && isPlainKeyAt(machine, at) ? likely : possible;
}

const touchingPattern = /""[^"\n]{1,64}""(?!\s*[,}\]])/y;

/** `"a""b""c"`: texts that touch are one text. */
const isTouchedAt = ({ text }: Machine, at: number): boolean => matchEnd(touchingPattern, text, at - 1) !== -1;

const maxMember = 1_000;
// Several names, a colon, and a value with the comma or the closer after it.
const namesMemberPattern = new RegExp(
  String.raw`[A-Za-z_$][\w$-]{0,40}(?: [\w$-]{1,40}){1,3}:\s{0,4}${memberValueSource}`,
  'y',
);

/** `copies 264` or `, sold copies: 264,`: an unquoted key without its colon, or one of several names. */
function isNamesBeforeValue(machine: Machine, at: number, hasComma: boolean): boolean {
  const end = nameEnd(machine, at);
  const next = nextToken(machine, end);
  if (next === end || end === at) return false;
  if (isValueAt(machine, next)) return true;
  waitFor(machine, at + maxMember);
  return hasComma && matchEnd(namesMemberPattern, machine.text, at) !== -1;
}

// An unquoted key with a short string without inner quotes, and the comma or the closer after it.
const bareMemberPattern = /[A-Za-z_$][\w$]{0,40}\s{0,4}:\s{0,4}"[^"\\\n]{0,200}"\s{0,20}[,}]/y;

/** Returns whether a member with such a key is at an offset. */
const isBareMemberAt = ({ ended, text }: Machine, at: number): boolean =>
  ended && matchEnd(bareMemberPattern, text, at) !== -1;

/** `"docs/a.md"old": "`: returns whether a quote directly after text precedes an offset. `\t` may be white space. */
function isAfterQuote({ text }: Machine, at: number): boolean {
  if (text.charCodeAt(at - 1) !== char.quote || text[at - 3] === '\\') return false;
  const before = toNarrow(text.charCodeAt(at - 2));
  return !isOddSpace(before) && !isIn(' \t\r\n"\\\'([{,:=>', before);
}

function argumentAt(machine: Machine, place: Place): Likelihood {
  const { at, code, hasComma, isDamaged } = place;
  if (!hasComma) return code === char.plus ? otherAt(machine, place) : unlikely;
  if (isNameStart(code)) {
    const likelihood = nameKeyAt(machine, at, isDamaged);
    if (likelihood !== unlikely) return likelihood;
    return isValueWordAt(machine, at) ? likely : unlikely;
  }
  if (!beginsValue(code) && code !== char.openParen) return unlikely;
  return isDamaged ? possible : likely;
}

/** After a complete root, almost anything may follow except the rest of a string. */
function afterRootAt(machine: Machine, { at, code, hasComma, isDamaged }: Place): Likelihood {
  if (hasComma) return mayOpenString(code) ? quotedKeyAt(machine, at, true) : possible;
  if (code === char.colon) return unlikely;
  if (!mayOpenString(code) || isWrapperEnd(machine, at) || endsCodeAt(machine, at)) return likely;
  // A key on the next line, or directly after them, shows that these closers were superfluous.
  const isOwnLine = isFirstOnLine(machine.text, at);
  const isApart = isOwnLine || isCloser(codeAt(machine, at - 1));
  if (isApart && quotedKeyAt(machine, at, true) === likely) return isDamaged ? possible : likely;
  // Prose after the document may begin with a quoted word. Without another quote, nothing else can end the string.
  if (!isDamaged && (isOwnLine || (machine.ended && findFrom(machine, '"', at) === -1))) return likely;
  // The quotes around a whole document may close here. Any other quote shows that a string continues.
  const next = nextCode(machine, at + 1);
  return next === char.end || isIn(');', next) ? possible : unlikely;
}

/** Returns whether a quote directly after a number or a word opens the next member or item. */
export function opensNextAt(machine: Machine, at: number): boolean {
  const { frame } = machine;
  if (frame === undefined || !mayOpenString(codeAt(machine, at))) return false;
  if (frame.kind === 'object') return quotedKeyAt(machine, at, true) === likely || isDamagedKeyAt(machine, at);
  return !isEndAt(machine, nextToken(machine, at + 1));
}
