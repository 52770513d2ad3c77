import { skipBetween } from '../lookahead/between.ts';
import * as char from '../text/char.ts';
import { applyFirst } from '../machine/fix.ts';
import { colonFixes } from '../fixes/index.ts';
import { codeAt, fail, type Machine, type State } from '../machine/machine.ts';
import { endOfText } from '../actions/end-of-text.ts';

/** Where the colon is due. `{"a"|: 1}` */
export function afterKey(machine: Machine): State | undefined {
  const code = skipBetween(machine);
  if (machine.needsMore) return undefined;
  if (machine.frame !== undefined) machine.frame.comma = -1;
  if (code === char.colon && codeAt(machine, machine.at + 1) !== char.equals) {
    if (machine.needsMore) return undefined;
    machine.at += 1;
    return 'beforeValue';
  }
  if (code === char.end) return endOfText(machine, 'cut');
  return applyFirst(colonFixes, machine, code) ?? fail(machine, 'a colon after the key');
}
