import { skipBetween } from '../lookahead/between.ts';
import * as char from '../text/char.ts';
import { isNameStart, toNarrow } from '../text/characters.ts';
import { isWordAt } from '../lookahead/damaged-key.ts';
import { applyFirst } from '../machine/fix.ts';
import { separatorFixes } from '../fixes/index.ts';
import { markLastUncertain, markUncertain } from '../machine/own-closer.ts';
import { isFence } from '../lookahead/follow.ts';
import { fail, type Machine, type State } from '../machine/machine.ts';
import { closeFrame } from '../actions/close-frame.ts';
import { endOfText } from '../actions/end-of-text.ts';

/** Where a comma or a closer is due. `{"a": 1|}` */
export function afterValue(machine: Machine): State | undefined {
  const { frame } = machine;
  if (frame === undefined) {
    machine.rootEnd = machine.at;
    return undefined;
  }
  const code = skipBetween(machine);
  if (machine.needsMore) return undefined;
  if (code === char.comma) {
    frame.comma = machine.at;
    machine.at += 1;
    return frame.kind === 'array' ? 'beforeValue' : 'beforeKey';
  }
  if (code === frame.closer) return closeFrame(machine);
  if (code === char.end || isFence(machine, machine.at)) return endOfText(machine, 'open');
  if (machine.last === 'string' && code !== char.colon) markEndUncertain(machine, code);
  return applyFirst(separatorFixes, machine, code) ?? fail(machine, 'a comma or a closing brace');
}

/**
 * Something else than a comma or a closer follows a string. One with quotes inside may go on here, and so may one without
 * where a name follows and this object does not write its keys so.
 */
function markEndUncertain(machine: Machine, code: number): void {
  const isComma = toNarrow(code) === char.comma || (code === char.semicolon && machine.hasSemicolons);
  if (isNameStart(code) && machine.frame?.hasBareKeys === false && !isWordAt(machine, machine.at))
    markUncertain(machine, machine.lastStart, true);
  else if (!isComma) markLastUncertain(machine);
}
