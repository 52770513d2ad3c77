import * as char from '../../text/char.ts';
import type { Fix } from '../../machine/fix.ts';
import { deliver, note } from '../../machine/machine.ts';

/** A comma or a closer where the value of a key is due. `{"a": , "b": 1}` */
export const missingValue: Fix = {
  code: 'missing-value',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frame } = machine;
    if (frame === undefined || frame.kind === 'array' || frame.key === undefined) return undefined;
    if (code !== char.comma && code !== frame.closer) return undefined;
    note(machine, fix.code, fix.risk, at, at, 'null');
    deliver(machine, null, at);
    machine.last = 'word';
    return machine.failure === undefined ? 'afterValue' : undefined;
  },
};
