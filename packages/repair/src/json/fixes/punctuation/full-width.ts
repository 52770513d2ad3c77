import * as char from '../../text/char.ts';
import { toNarrow } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { note, open } from '../../machine/machine.ts';

/** A brace or bracket in full width. `｛"a": 1｝` */
export const fullWidthOpener: Fix = {
  code: 'full-width',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const narrow = toNarrow(code);
    if (narrow === code || (narrow !== char.openBrace && narrow !== char.openBracket)) return undefined;
    const isObject = narrow === char.openBrace;
    note(machine, fix.code, fix.risk, machine.at, machine.at + 1, String.fromCharCode(narrow));
    if (!open(machine, isObject ? 'object' : 'array', isObject ? char.closeBrace : char.closeBracket, machine.at))
      return undefined;
    machine.at += 1;
    return isObject ? 'beforeKey' : 'beforeValue';
  },
};
