import { MINUS, OPEN_BRACE, OPEN_BRACKET, OPEN_PAREN, isDigit, isNameStart } from '../../text/characters.ts';
import { mayOpenString } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import { note } from '../../machine/machine.ts';

/** A value directly after its key. `{"a" 1}` */
export const missingColon: Fix = {
  code: 'missing-colon',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const isValue =
      mayOpenString(code) ||
      code === OPEN_BRACE ||
      code === OPEN_BRACKET ||
      code === OPEN_PAREN ||
      code === MINUS ||
      isDigit(code) ||
      isNameStart(code);
    if (!isValue || machine.frame?.kind !== 'object') return undefined;
    note(machine, fix.code, fix.risk, machine.at, machine.at, ':');
    return 'beforeValue';
  },
};
