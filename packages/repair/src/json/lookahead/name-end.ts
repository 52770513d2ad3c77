import * as char from '../text/char.ts';
import { isHexDigit, isNamePart, isNameStart } from '../text/characters.ts';
import type { Machine } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';

/** Maximum length of a name, and of several names. */
const maxLength = 64;

/** Returns the end of the name at an offset, or the offset itself if there is no name. */
export function nameEnd(machine: Machine, at: number): number {
  if (!isNameStart(codeAt(machine, at))) return at;
  return namePartsEnd(machine, at + 1);
}

/** Returns the end of the characters of a name from an offset on. A letter may be an escape: `gr\u00f6\u00dfe`. */
export function namePartsEnd(machine: Machine, at: number): number {
  let end = at;
  while (end - at < maxLength) {
    const code = codeAt(machine, end);
    if (code === char.backslash && isUnicodeEscapeAt(machine, end)) end += 6;
    else if (isNamePart(code)) end += 1;
    else return end;
  }
  return end;
}

function isUnicodeEscapeAt(machine: Machine, at: number): boolean {
  if (codeAt(machine, at + 1) !== 0x75) return false;
  for (let index = at + 2; index < at + 6; index += 1) if (!isHexDigit(codeAt(machine, index))) return false;
  return true;
}

/** Returns the end of the names and spaces at an offset. */
export function wordsEnd(machine: Machine, at: number): number {
  let end = at;
  while (end < at + maxLength && (isNamePart(codeAt(machine, end)) || codeAt(machine, end) === char.space)) end += 1;
  return end;
}
