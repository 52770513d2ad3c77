import * as char from '../../text/char.ts';
import { isDigit, isNameStart, toNarrow } from '../../text/characters.ts';
import { afterBetween } from '../../lookahead/between.ts';
import { closeForKey } from '../../machine/declared-parent.ts';
import { isValueAt, namePartsEnd } from '../../lookahead/damaged-key.ts';
import type { Fix } from '../../machine/fix.ts';
import { keyBetween } from '../../machine/known-keys.ts';
import { codeAt, note, type Machine } from '../../machine/machine.ts';
import { endOfText } from '../../actions/end-of-text.ts';

/** A key without quotes, or with the opening one missing. `{path: 1}` `{path": 1}` */
export const unquotedKey: Fix = {
  code: 'unquoted-key',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const { at, frame } = machine;
    if (frame === undefined || isPunctuation(code)) return undefined;
    const end = isNameStart(code) || isDigit(code) ? namePartsEnd(machine, at) : oddKeyEnd(machine, at);
    if (end === -1) return undefined;
    const quote =
      codeAt(machine, end) === char.backslash && codeAt(machine, end + 1) === char.quote
        ? 2
        : Number(codeAt(machine, end) === char.quote);
    const next = toNarrow(codeAt(machine, afterBetween(machine, end + quote)));
    if (machine.needsMore) return undefined;
    if (next === char.end) return endOfText(machine, 'cut');
    if (next !== char.colon && next !== char.equals && !isWithoutColon(machine, end, quote)) return undefined;
    const key = decodeName(keyBetween(machine, at, end));
    note(machine, quote > 0 ? 'missing-open-quote' : fix.code, fix.risk, at, end + quote, `"${key.slice(0, 58)}"`);
    closeForKey(machine, key, at);
    if (machine.frame !== undefined) {
      machine.frame.key = key;
      machine.frame.hasBareKeys = true;
    }
    machine.at = end + quote;
    return 'afterKey';
  },
};

function decodeName(name: string): string {
  return name.includes('\\')
    ? name.replaceAll(/\\u(.{4})/g, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : name;
}

/** `copies 264` among keys that are written without quotes. */
function isWithoutColon(machine: Machine, end: number, quote: number): boolean {
  const { frame, frames } = machine;
  const next = afterBetween(machine, end);
  const mayBe = frame?.hasBareKeys === true || (frames.length === 1 && frame?.keyBits === 0 && frame.comma === -1);
  return mayBe && quote === 0 && next > end && isValueAt(machine, next);
}

const maxLength = 64;

/** Where a key of other signs than names have ends that has only its closing quote: `**\/dist": `. Otherwise -1. */
function oddKeyEnd(machine: Machine, at: number): number {
  if (machine.frame?.kind !== 'object') return -1;
  for (let end = at; end < at + maxLength; end += 1) {
    const code = codeAt(machine, end);
    if (code === char.quote) return toNarrow(codeAt(machine, afterBetween(machine, end + 1))) === char.colon ? end : -1;
    if (isPunctuation(code)) return -1;
  }
  return -1;
}

/** What stands between keys and values, opens or closes something, or is no character of a key at all. */
function isPunctuation(code: number): boolean {
  return code < 0x20 || ',:;{}[]()"\'`\\'.includes(String.fromCharCode(toNarrow(code)));
}
