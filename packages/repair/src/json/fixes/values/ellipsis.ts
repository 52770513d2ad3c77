import * as char from '../../text/char.ts';
import type { Fix } from '../../machine/fix.ts';
import { codeAt, note } from '../../machine/machine.ts';

/** Three dots that stand for more. `[1, 2, ...]` */
export const ellipsis: Fix = {
  code: 'ellipsis',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frame } = machine;
    if (frame === undefined) return undefined;
    const isWritten = code === char.dot && codeAt(machine, at + 1) === char.dot && codeAt(machine, at + 2) === char.dot;
    if (!isWritten && code !== 0x2026) return undefined;
    let end = at + 1;
    while (codeAt(machine, end) === char.dot) end += 1;
    if (machine.needsMore) return undefined;
    note(machine, fix.code, fix.risk, at, end, '');
    machine.at = end;
    frame.comma = -1;
    return 'afterValue';
  },
};
