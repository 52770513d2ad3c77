import * as char from '../../text/char.ts';
import { toNarrow } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { close, findFrom, note, open } from '../../machine/machine.ts';

/** A colon behind the first item of a list that is closed in its turn: members in the brackets of a list. `["size": "L"]` */
export const membersInList: Fix = {
  code: 'wrong-brackets',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frame, last } = machine;
    if (toNarrow(code) !== char.colon || frame?.kind !== 'array' || frame.closer !== char.closeBracket)
      return undefined;
    const [key] = frame.items;
    if (last !== 'string' || frame.items.length !== 1 || typeof key !== 'string') return undefined;
    const closer = findFrom(machine, ']', at);
    const other = findFrom(machine, '}', at);
    if (machine.needsMore || closer === -1 || (other !== -1 && other < closer)) return undefined;
    const { start } = frame;
    frame.items.pop();
    close(machine, start);
    const parent = machine.frame;
    if (parent?.kind === 'object' && parent.key !== undefined) Reflect.deleteProperty(parent.members, parent.key);
    else parent?.items.pop();
    machine.rootEnd = -1;
    if (!open(machine, 'object', char.closeBracket, start)) return undefined;
    note(machine, fix.code, fix.risk, start, start + 1, '{');
    if (machine.frame !== undefined) machine.frame.key = key;
    return 'afterKey';
  },
};
