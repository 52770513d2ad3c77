import * as char from '../../text/char.ts';
import { isDigit } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { codeAt, note } from '../../machine/machine.ts';
import { endsNumber } from '../../actions/numbers.ts';

/** Three digits where a key is due: the comma before them was part of the number. `{"a": 39,430}` */
export const thousands: Fix = {
  code: 'digit-separators',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frame, lastStart, text } = machine;
    if (!isDigit(code) || frame?.kind !== 'object' || frame.key === undefined) return undefined;
    if (machine.last !== 'number' || frame.comma !== at - 1 || !isDigit(codeAt(machine, at - 2))) return undefined;
    let end = at - 1;
    while (codeAt(machine, end) === char.comma && isGroup(text, end + 1)) end += 4;
    if (end === at - 1 || !endsNumber(codeAt(machine, end)) || machine.needsMore) return undefined;
    const value = Number(text.slice(lastStart, end).replaceAll(',', ''));
    if (!Number.isFinite(value)) return undefined;
    frame.members[frame.key] = value;
    frame.comma = -1;
    note(machine, fix.code, fix.risk, lastStart, end, String(value));
    machine.at = end;
    return 'afterValue';
  },
};

function isGroup(text: string, at: number): boolean {
  return [0, 1, 2].every((offset) => isDigit(text.charCodeAt(at + offset))) && !isDigit(text.charCodeAt(at + 3));
}
