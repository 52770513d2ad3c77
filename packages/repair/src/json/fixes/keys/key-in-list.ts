import * as char from '../../text/char.ts';
import { toNarrow } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { close, note } from '../../machine/machine.ts';

/** A colon, or a sign for one, after an item: a list was never closed, and the item is the next key. `{"a": [1, "b": 2}` */
export const keyInList: Fix = {
  code: 'missing-list-closer',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { frame, frames, lastStart } = machine;
    const sign = toNarrow(code);
    if ((sign !== char.colon && sign !== char.equals) || frame?.kind !== 'array' || machine.last !== 'string')
      return undefined;
    if (!frames.some((candidate) => candidate.kind === 'object')) return undefined;
    const key = frame.items.pop();
    if (typeof key !== 'string') return undefined;
    while (machine.frame?.kind === 'array') close(machine, lastStart);
    note(machine, fix.code, fix.risk, lastStart, lastStart, ']');
    if (machine.frame !== undefined) machine.frame.key = key;
    return 'afterKey';
  },
};
