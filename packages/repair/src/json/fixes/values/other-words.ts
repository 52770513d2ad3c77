import * as char from '../../text/char.ts';
import { isNameStart } from '../../text/characters.ts';
import { deliverSource, isTextDue } from '../../machine/declared.ts';
import type { Fix } from '../../machine/fix.ts';
import { opensNextAt } from '../../lookahead/follow.ts';
import type { JsonValue } from '../../result/json-value.ts';
import { codeAt, deliver, note, type State, type Machine } from '../../machine/machine.ts';
import type { RepairRisk } from '../../result/repair-result.ts';
import { endOfText } from '../../actions/end-of-text.ts';
import { deliverWord, endsWord, wordEnd } from '../../actions/words.ts';

interface Word {
  readonly value: JsonValue;
  readonly risk: RepairRisk;
}

const safe = (value: JsonValue): Word => ({ value, risk: 'safe' });
const lossy: Word = { value: null, risk: 'lossy' };

const words: ReadonlyMap<string, Word> = new Map([
  ['True', safe(true)],
  ['False', safe(false)],
  ['None', safe(null)],
  ['TRUE', safe(true)],
  ['FALSE', safe(false)],
  ['NULL', safe(null)],
  ['Null', safe(null)],
  ['nil', safe(null)],
  ['undefined', lossy],
  ['NaN', lossy],
  ['nan', lossy],
  ['Infinity', lossy],
  ['inf', lossy],
  ['-Infinity', lossy],
  ['-NaN', lossy],
  ['-inf', lossy],
]);

/** The words that Python, JavaScript and others use for JSON's, or for values that JSON lacks. `[True, NaN]` */
export const otherWords: Fix = {
  code: 'other-word',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const { at, text } = machine;
    if (!isNameStart(code) && code !== 0x2d) return undefined;
    const end = wordEnd(machine, at);
    const next = codeAt(machine, end);
    if (machine.needsMore) return undefined;
    const word = text.slice(at, end);
    const meant = words.get(word);
    if (meant !== undefined && (endsWord(next) || opensNextAt(machine, end))) {
      if (isTextDue(machine, meant.value === null ? 'null' : 'boolean')) return deliverSource(machine, at, end);
      note(machine, fix.code, meant.risk, at, end, JSON.stringify(meant.value));
      return deliverWord(machine, meant.value, at, end);
    }
    return next === char.end && machine.frames.length > 0 ? completeCut(machine, word) : undefined;
  },
};

/** A word that the end of the text cuts is completed when only one can be meant. */
function completeCut(machine: Machine, word: string): State | undefined {
  const { at } = machine;
  for (const [candidate, meant] of words) {
    if (candidate.startsWith(word)) {
      deliver(machine, meant.value, at);
      return endOfText(machine, 'cut', 'cut-word', at);
    }
  }
  return undefined;
}
