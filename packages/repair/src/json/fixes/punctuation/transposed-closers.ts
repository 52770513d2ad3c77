import * as char from '../../text/char.ts';
import { isWhitespace } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import { close, codeAt, note, type Machine } from '../../machine/machine.ts';

const maxCount = 64;

/** Whether a string was ended by a choice, so that closers may be more of it; one without any in it was not. */
function isBehindUncertain({ at, uncertain, text }: Machine): boolean {
  return uncertain.some(({ start }) => !/^"[^"{}[\]]*"[\s}\]]*$/.test(text.slice(start, at)));
}

/** At the end of the text, all the closers that are due and no others, in another order. `[{"a": 1]}` */
export const transposedClosers: Fix = {
  code: 'transposed-closers',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const { at, frames } = machine;
    if (!machine.ended || isBehindUncertain(machine) || (code !== char.closeBrace && code !== char.closeBracket))
      return undefined;
    const due = frames.map(({ closer }) => closer);
    let end = at;
    for (let next = code; next !== char.end && end - at < maxCount; next = codeAt(machine, (end += 1))) {
      if (isWhitespace(next)) continue;
      const index = due.lastIndexOf(next);
      if (index === -1) return undefined;
      due.splice(index, 1);
      if (due.length === 0) break;
    }
    if (due.length > 0 || machine.text.slice(end + 1).trim() !== '') return undefined;
    note(machine, fix.code, fix.risk, at, end + 1, '');
    while (machine.frames.length > 0) close(machine, end + 1);
    machine.at = end + 1;
    return undefined;
  },
};
