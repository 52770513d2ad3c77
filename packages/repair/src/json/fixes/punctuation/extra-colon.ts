import * as char from '../../text/char.ts';
import { toNarrow } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { codeAt, note } from '../../machine/machine.ts';
import { trimEnd } from '../../lookahead/lost-value-end.ts';

/** A colon before a key. `{:"a": 1}` */
export const colonBeforeKey: Fix = {
  code: 'extra-colon',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at } = machine;
    const next = codeAt(machine, at + 1);
    if (toNarrow(code) !== char.colon || next !== char.quote || machine.frame?.kind !== 'object') return undefined;
    note(machine, fix.code, fix.risk, at, at + 1, '');
    machine.at += 1;
    return 'beforeKey';
  },
};

/** A second colon where a value is due. `{"a":: 1}` */
export const extraColon: Fix = {
  code: 'extra-colon',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const { at, frame, text } = machine;
    if (toNarrow(code) !== char.colon || frame === undefined || frame.kind === 'array') return undefined;
    if (toNarrow(text.charCodeAt(trimEnd(text, at) - 1)) !== char.colon) return undefined;
    note(machine, fix.code, fix.risk, at, at + 1, '');
    machine.at += 1;
    return 'beforeValue';
  },
};
