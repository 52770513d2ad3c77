import * as char from '../../text/char.ts';
import { isDigit, isNameStart } from '../../text/characters.ts';
import { isDamagedKeyAt, isWordAt } from '../../lookahead/damaged-key.ts';
import { mayOpenString } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import { unlikely, nameKeyAt, quotedKeyAt } from '../../lookahead/key-at.ts';
import { codeAt, note, type Machine } from '../../machine/machine.ts';

/** The next member or item without a comma before it. `{"a": 1 "b": 2}` */
export const missingComma: Fix = {
  code: 'missing-comma',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frame } = machine;
    if (frame === undefined || !(frame.kind === 'array' ? isItem(machine, code) : isKey(machine, code)))
      return undefined;
    if (machine.needsMore) return undefined;
    note(machine, fix.code, fix.risk, at, at, ',');
    return frame.kind === 'array' ? 'beforeValue' : 'beforeKey';
  },
};

function isItem(machine: Machine, code: number): boolean {
  if (mayOpenString(code) || code === char.openBrace || code === char.openBracket) return true;
  if (code === char.backslash) return codeAt(machine, machine.at + 1) === char.quote;
  return (
    isDigit(code) ||
    code === char.minus ||
    (isNameStart(code) && (machine.last !== 'string' || isWordAt(machine, machine.at) || isOnNextLine(machine)))
  );
}

/** Whether a word stands on the line below another one that has no quotes either. */
function isOnNextLine({ at, lastStart, text }: Machine): boolean {
  return /^[A-Za-z_][\w.-]*[ \t\r]*\n\s*$/.test(text.slice(lastStart, at));
}

function isKey(machine: Machine, code: number): boolean {
  if (mayOpenString(code) || code === char.backslash)
    return quotedKeyAt(machine, machine.at, false) !== unlikely || isDamagedKeyAt(machine, machine.at);
  return (isNameStart(code) || isDigit(code)) && nameKeyAt(machine, machine.at, false) !== unlikely;
}
