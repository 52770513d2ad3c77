import { BACKSLASH, COLON, EQUALS, END, QUOTE, isDigit, isNameStart, toNarrow } from '../characters.ts';
import { afterBetween } from '../between.ts';
import { closeForKey } from '../declared-parent.ts';
import { isValueAt } from '../damaged-key.ts';
import type { Fix } from '../fix.ts';
import { keyBetween } from '../known-keys.ts';
import { codeAt, note, type Machine } from '../machine.ts';
import { afterKey } from '../states/after-key.ts';
import { endOfText } from '../states/end-of-text.ts';
import { wordEnd } from '../states/read-word.ts';

/** A key without quotes, or with the opening one missing. `{path: 1}` `{path": 1}` */
export const unquotedKey: Fix = {
  code: 'unquoted-key',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const { at, frame } = machine;
    if (frame === undefined || !(isNameStart(code) || isDigit(code))) return undefined;
    const end = wordEnd(machine, at);
    const quote =
      codeAt(machine, end) === BACKSLASH && codeAt(machine, end + 1) === QUOTE
        ? 2
        : Number(codeAt(machine, end) === QUOTE);
    const next = toNarrow(codeAt(machine, afterBetween(machine, end + quote)));
    if (machine.starved) return undefined;
    if (next === END) return endOfText(machine, 'cut');
    if (next !== COLON && next !== EQUALS && !isWithoutColon(machine, end, quote)) return undefined;
    const key = keyBetween(machine, at, end);
    note(machine, quote > 0 ? 'missing-open-quote' : fix.code, fix.risk, at, end + quote, `"${key.slice(0, 58)}"`);
    closeForKey(machine, key, at);
    if (machine.frame !== undefined) {
      machine.frame.key = key;
      machine.frame.hasBareKeys = true;
    }
    machine.at = end + quote;
    return afterKey;
  },
};

/** `copies 264` among keys that are written without quotes. */
function isWithoutColon(machine: Machine, end: number, quote: number): boolean {
  const { frame, frames } = machine;
  const next = afterBetween(machine, end);
  const mayBe = frame?.hasBareKeys === true || (frames.length === 1 && frame?.keyBits === 0 && frame.comma === -1);
  return mayBe && quote === 0 && next > end && isValueAt(machine, next);
}
