import { skipBetween } from '../lookahead/between.ts';
import * as char from '../text/char.ts';
import { isNameStart } from '../text/characters.ts';
import { doubleQuote, followsEmptyString } from '../text/delimiters.ts';
import { applyFirst } from '../machine/fix.ts';
import { keyFixes, quotedKeyFixes } from '../fixes/index.ts';
import { codeAt, fail, type Machine, type State } from '../machine/machine.ts';
import { markLastUncertain } from '../machine/own-closer.ts';
import { closeFrame } from '../actions/close-frame.ts';
import { endOfText } from '../actions/end-of-text.ts';
import { readStrict } from './read-strict.ts';
import { beginString } from '../machine/string-token.ts';

/** Where a key or the closing brace is due. `{|"a": 1}` */
export function beforeKey(machine: Machine): State | undefined {
  const code = skipBetween(machine);
  if (machine.needsMore) return undefined;
  const { frame } = machine;
  // A first name that looks like a key, behind a string with quotes inside, may well be more of that string.
  if (machine.uncertain.length > 0 && isNameStart(code) && frame?.hasBareKeys === false) markLastUncertain(machine);
  if (machine.mayShorten && frame?.kind === 'object') {
    const { at } = machine;
    const next = readStrict(machine, 'beforeKey');
    if (machine.at !== at || next !== 'beforeKey') return next;
  }
  if (code === char.quote && frame?.kind !== 'call') {
    if (codeAt(machine, machine.at + 1) === char.quote && !followsEmptyString(codeAt(machine, machine.at + 2))) {
      const next = applyFirst(quotedKeyFixes, machine, code);
      if (next !== undefined || machine.needsMore) return next;
    }
    if (machine.needsMore) return undefined;
    beginString(machine, 'key', doubleQuote);
    return 'readString';
  }
  if (code === frame?.closer) return closeFrame(machine);
  if (code === char.end) return endOfText(machine, 'cut');
  return applyFirst(keyFixes, machine, code) ?? fail(machine, 'a key in double quotes, or the closing brace');
}
