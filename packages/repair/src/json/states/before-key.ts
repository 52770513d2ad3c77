import { skipBetween } from '../between.ts';
import { END, QUOTE } from '../characters.ts';
import { doubleQuote } from '../delimiters.ts';
import { applyFirst } from '../fix.ts';
import { keyFixes, quotedKeyFixes } from '../fixes/index.ts';
import { fail, type Machine, type State } from '../machine.ts';
import { closeFrame } from './close-frame.ts';
import { endOfText } from './end-of-text.ts';
import { readString } from './read-string.ts';
import { beginString } from './string-token.ts';

/** Where a key or the closing brace is due. `{|"a": 1}` */
export function beforeKey(machine: Machine): State | undefined {
  const code = skipBetween(machine);
  if (machine.starved) return undefined;
  const { frame } = machine;
  if (code === QUOTE && frame?.kind !== 'call') {
    if (machine.text.charCodeAt(machine.at + 1) === QUOTE) {
      const next = applyFirst(quotedKeyFixes, machine, code);
      if (next !== undefined) return next;
    }
    beginString(machine, 'key', doubleQuote);
    return readString;
  }
  if (code === frame?.closer) return closeFrame(machine);
  if (code === END) return endOfText(machine, 'cut');
  return applyFirst(keyFixes, machine, code) ?? fail(machine, 'a key in double quotes, or the closing brace');
}
