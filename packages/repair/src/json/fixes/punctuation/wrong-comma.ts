import * as char from '../../text/char.ts';
import { toNarrow } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { note } from '../../machine/machine.ts';

/** Another sign where a comma is due. `{"a": 1; "b": 2}` */
export const wrongComma: Fix = {
  code: 'wrong-comma',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const { at, frame } = machine;
    if (frame === undefined || (code !== char.semicolon && toNarrow(code) !== char.comma)) return undefined;
    note(machine, fix.code, fix.risk, at, at + 1, ',');
    frame.comma = at;
    if (code === char.semicolon) machine.hasSemicolons = true;
    machine.at += 1;
    return frame.kind === 'array' ? 'beforeValue' : 'beforeKey';
  },
};
