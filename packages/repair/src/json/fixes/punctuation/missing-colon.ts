import * as char from '../../text/char.ts';
import { isDigit, isNameStart } from '../../text/characters.ts';
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
      code === char.openBrace ||
      code === char.openBracket ||
      code === char.openParen ||
      code === char.minus ||
      isDigit(code) ||
      isNameStart(code);
    if (!isValue || machine.frame?.kind !== 'object') return undefined;
    note(machine, fix.code, fix.risk, machine.at, machine.at, ':');
    return 'beforeValue';
  },
};
