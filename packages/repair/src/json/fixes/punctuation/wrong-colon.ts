import * as char from '../../text/char.ts';
import { toNarrow } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { note } from '../../machine/machine.ts';

const signs = ['=>', ':=', '->', '=='];

/** Another sign where the colon is due. `{"a" => 1}` `{"a" = 1}` */
export const wrongColon: Fix = {
  code: 'wrong-colon',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const { at, text } = machine;
    const sign = signs.find((candidate) => text.startsWith(candidate, at));
    const length = sign?.length ?? (code === 0x3d || toNarrow(code) === char.colon ? 1 : 0);
    if (length === 0) return undefined;
    machine.colon = text.slice(at, at + length);
    // In a call, `=` is how arguments are written.
    if (machine.frame?.kind !== 'call') note(machine, fix.code, fix.risk, at, at + length, ':');
    machine.at += length;
    return 'beforeValue';
  },
};
