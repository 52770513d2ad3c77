import { DOT } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { codeAt, note } from '../../machine/machine.ts';

/** Three dots that stand for more. `[1, 2, ...]` */
export const ellipsis: Fix = {
  code: 'ellipsis',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frame } = machine;
    if (frame === undefined) return undefined;
    const isWritten = code === DOT && codeAt(machine, at + 1) === DOT && codeAt(machine, at + 2) === DOT;
    if (!isWritten && code !== 0x2026) return undefined;
    let end = at + 1;
    while (codeAt(machine, end) === DOT) end += 1;
    if (machine.starved) return undefined;
    note(machine, fix.code, fix.risk, at, end, '');
    machine.at = end;
    frame.comma = -1;
    return 'afterValue';
  },
};
