import { skipBetween } from '../lookahead/between.ts';
import { COLON, END, EQUALS } from '../text/characters.ts';
import { applyFirst } from '../machine/fix.ts';
import { colonFixes } from '../fixes/index.ts';
import { codeAt, fail, type Machine, type State } from '../machine/machine.ts';
import { endOfText } from '../actions/end-of-text.ts';

/** Where the colon is due. `{"a"|: 1}` */
export function afterKey(machine: Machine): State | undefined {
  const code = skipBetween(machine);
  if (machine.starved) return undefined;
  if (machine.frame !== undefined) machine.frame.comma = -1;
  if (code === COLON && codeAt(machine, machine.at + 1) !== EQUALS) {
    if (machine.starved) return undefined;
    machine.at += 1;
    return 'beforeValue';
  }
  if (code === END) return endOfText(machine, 'cut');
  return applyFirst(colonFixes, machine, code) ?? fail(machine, 'a colon after the key');
}
