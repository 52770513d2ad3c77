import { possible, unlikely, likely, type Likelihood } from './likelihood.ts';
import { nextToken, nextCode } from './next-token.ts';
import { isCloser, isDigit, isNameStart, isWhitespace, toNarrow, isIn } from '../text/characters.ts';
import {
  isDamagedKeyAt,
  isHalfQuotedKeyAt,
  isPlainKeyAt,
  isValueWordAt,
  loneKeyEnd,
  opensContainerAt,
} from './damaged-key.ts';
import { namePartsEnd } from './name-end.ts';
import { isDeclaredKeyAt } from './declared-text.ts';
import { mayOpenString } from '../text/delimiters.ts';
import type { Frame, Machine } from '../machine/machine.ts';
import { codeAt, startsAt } from '../machine/operations.ts';
import { readCloserRun } from '../machine/closers.ts';
import { isJsonObject } from '../result/json-value.ts';
import {
  endsLikeValueAt,
  isContinuedAt,
  isEllipsisAt,
  isEndAt,
  isEntityAt,
  isWrapperEnd,
  isFirstOnLine,
  isItemWordAt,
  isNumberItemAt,
  isTouchedAt,
  beginsValue,
  isLooseItemAt,
} from './item-at.ts';
import {
  isBareMemberAt,
  isAfterQuote,
  isClosingFence,
  hasValueAfterKey,
  isHalfQuotedBeforeValue,
  isDocumentSign,
  isLaidOutAs,
  isNextRowAt,
  isWordBeforeKey,
  isNamesBeforeValue,
  nameKeyAt,
  quotedKeyAt,
  isQuotedMemberAt,
} from './key-at.ts';
import * as char from '../text/char.ts';

const maxCommas = 16;

/** The first character after a value that is neither a comma nor its container's closer. */
interface Place {
  readonly at: number;
  readonly code: number;
  /** Whether a comma precedes it. */
  readonly hasComma: boolean;
  /** Whether the value is known to be damaged. */
  readonly isDamaged: boolean;
}

/**
 * The follow rule: returns how likely the text at `from` follows a complete value inside the frame at `level` (-1 for
 * the root). Looks past closers up to the next key, value, or the end of the text. With `isDamaged`, the value is known
 * to be damaged, so the end of the text proves nothing.
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
    } else if (mayForgive && isCloser(code)) {
      return afterOddCloser(machine, at, depth);
    } else if (mayForgive && isEllipsisAt(machine, at)) {
      at += 1;
      while (codeAt(machine, at) === char.dot) at += 1;
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
      if (hasComma && !isDamaged && (isList || isNextRowAt(machine, at, depth))) return likely;
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
  const { at, code, isDamaged } = place;
  if (isClosingFence(machine, at)) return isDamaged ? unlikely : likely;
  if (mayOpenString(code) || code === char.backslash || isEntityAt(machine, at, code))
    return quotedMemberAt(machine, place, frame);
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
  if (hasComma && (isBareMemberAt(machine, at) || (!isDamaged && isWordBeforeKey(machine, at)))) return likely;
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

/** After a value, anything except a member or an item. */
function otherAt(machine: Machine, { at, code, hasComma, isDamaged }: Place): Likelihood {
  if (code === char.plus && !hasComma) {
    const operand = nextToken(machine, at + 1);
    return (!isDamaged && isEndAt(machine, operand)) || endsLikeValueAt(machine, operand) ? likely : unlikely;
  }
  if (isDamaged) return unlikely;
  if (code === char.dot || isCloser(code)) return possible;
  return isWrapperEnd(machine, at) ? likely : unlikely;
}

function itemAt(machine: Machine, place: Place, from: number): Likelihood {
  const { at, code, hasComma, isDamaged } = place;
  if (isClosingFence(machine, at)) return isDamaged ? unlikely : likely;
  if (beginsValue(code) || (code === char.openParen && hasComma && !isDamaged) || isEntityAt(machine, at, code)) {
    const isNumber = isDigit(code) || code === char.minus;
    return hasComma || (!isDamaged && (!isNumber || isNumberItemAt(machine, at))) ? likely : possible;
  }
  if (isNameStart(code) && isItemWordAt(machine, at, hasComma, isDamaged)) return likely;
  // `"x", +1` `"x", .5`
  const isSigned = hasComma && (code === char.plus || code === char.dot) && isDigit(codeAt(machine, at + 1));
  if (hasComma && !isDamaged && (isSigned || isLooseItemAt(machine, at, code))) return likely;
  if (hasComma && (isSigned || isNameStart(code))) return possible;
  if (code === char.backslash && !isDamaged && (hasComma || isWhitespace(machine.text.charCodeAt(at - 1))))
    // `\"` that opens a string, or `\u` in a string whose opening quote is missing.
    return isIn('"u', codeAt(machine, at + 1)) ? likely : unlikely;
  const isSign = code === char.colon || code === char.equals;
  return isSign && from !== -1 && !hasComma ? signAfterItem(machine, place, from) : otherAt(machine, place);
}

/** A list item with a colon after it is the next key of the object around the list, which was not closed. */
function signAfterItem(machine: Machine, { at, code, isDamaged }: Place, from: number): Likelihood {
  // Or it is the key of a row without its opening brace.
  const isFirst = !isDamaged && (machine.frame?.items.length === 0 || isJsonObject(machine.frame?.items.at(-1)));
  if (!isFirst && !machine.frames.some((frame) => frame.kind === 'object')) return unlikely;
  // `"=A1"`: a sign directly after a quote is more likely text.
  const next = codeAt(machine, at + 1);
  const isGlued = code === char.equals && at === from && next !== char.greater && next !== char.space;
  return isDamaged || (isGlued && !isDocumentSign(machine, at, code)) ? possible : likely;
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
  // `{…}⏎``⏎`: two backticks on a separate line are a damaged fence.
  const isHalfFence = startsAt(machine, '``', at) && isFirstOnLine(machine.text, at);
  if (!mayOpenString(code) || isWrapperEnd(machine, at) || isHalfFence) return likely;
  // A key on the next line, or directly after them, shows that these closers were superfluous.
  const isApart = isFirstOnLine(machine.text, at) || isCloser(codeAt(machine, at - 1));
  if (isApart && quotedKeyAt(machine, at, true) === likely) return isDamaged ? possible : likely;
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
