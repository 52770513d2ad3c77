import * as char from '../../text/char.ts';
import { toNarrow } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { note } from '../../machine/machine.ts';

/** A comma where a key or an item is due. `{,"a": 1,, "b": 2}` */
export const extraComma: Fix = {
  code: 'extra-comma',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const isComma = toNarrow(code) === char.comma || code === char.semicolon;
    if (!isComma || machine.frame === undefined) return undefined;
    note(machine, fix.code, fix.risk, machine.at, machine.at + 1, '');
    machine.at += 1;
    return machine.frame.kind === 'array' ? 'beforeValue' : 'beforeKey';
  },
};
