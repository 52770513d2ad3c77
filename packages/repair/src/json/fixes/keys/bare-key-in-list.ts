import { isNameStart } from '../../text/characters.ts';
import { isHalfQuotedKeyAt } from '../../lookahead/damaged-key.ts';
import type { Fix } from '../../machine/fix.ts';
import { isPlainKeyAt } from '../../lookahead/key-at.ts';
import { close, note } from '../../machine/machine.ts';

/** A key without its quotes, or without the first of them, where an item is due: the list was never closed. `{a: [1, b: 2}` `{"a": [1, b": 2}` */
export const bareKeyInList: Fix = {
  code: 'missing-list-closer',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frame, frames } = machine;
    if (frame?.kind !== 'array' || frame.comma === -1 || !isNameStart(code)) return undefined;
    let level = frames.length - 2;
    while (frames[level]?.kind === 'array') level -= 1;
    const object = frames[level];
    if (object?.kind !== 'object') return undefined;
    const isKey = (object.hasBareKeys && isPlainKeyAt(machine, at)) || isHalfQuotedKeyAt(machine, at);
    if (!isKey || machine.needsMore) return undefined;
    while (machine.frame?.kind === 'array') close(machine, at);
    note(machine, fix.code, fix.risk, at, at, ']');
    return 'beforeKey';
  },
};
