import { afterBetween } from '../../lookahead/between.ts';
import * as char from '../../text/char.ts';
import { isNameStart } from '../../text/characters.ts';
import { isValueAt, nameEnd } from '../../lookahead/damaged-key.ts';
import { mayOpenString } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import { isLateQuotedAt } from '../../lookahead/follow.ts';
import { codeAt, note, open, type Machine } from '../../machine/machine.ts';

/** A list in parentheses, as Python writes tuples. `{"a": (1, 2)}` */
export const tuple: Fix = {
  code: 'tuple',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    if (code !== char.openParen || machine.frame === undefined || !beginsItem(machine)) return undefined;
    if (!open(machine, 'array', char.closeParen, machine.at)) return undefined;
    note(machine, fix.code, fix.risk, machine.at, machine.at + 1, '[');
    machine.at += 1;
    return 'beforeValue';
  },
};

/** `(main, "next"`: a word without quotes, and then another item. */
function isWordBeforeItem(machine: Machine, at: number): boolean {
  const comma = afterBetween(machine, nameEnd(machine, at));
  return codeAt(machine, comma) === char.comma && isValueAt(machine, afterBetween(machine, comma + 1));
}

/** Whether an item or the end comes next. `(?:a|b)` and `(x) => x` are no lists. */
function beginsItem(machine: Machine): boolean {
  const at = afterBetween(machine, machine.at + 1);
  const code = codeAt(machine, at);
  if (machine.needsMore) return false;
  if (code === char.end || code === char.closeParen || code === char.openParen || mayOpenString(code)) return true;
  if (isValueAt(machine, at)) return true;
  return isNameStart(code) && (isLateQuotedAt(machine, at) || isWordBeforeItem(machine, at));
}
