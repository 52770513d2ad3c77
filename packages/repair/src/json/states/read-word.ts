import { deliverPlainWord, deliverWord, wordEnd, endsWord } from '../actions/words.ts';
import * as char from '../text/char.ts';
import { applyFirst } from '../machine/fix.ts';
import { opensNextAt } from '../lookahead/follow.ts';
import { wordFixes } from '../fixes/index.ts';
import type { JsonValue } from '../result/json-value.ts';
import { plainWordAt } from '../text/plain-text.ts';
import { codeAt, deliver, fail, type Machine, type State } from '../machine/machine.ts';
import { endOfText } from '../actions/end-of-text.ts';

const jsonWords: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** A bare word, beginning at the cursor. `[|true]` */
export function readWord(machine: Machine): State | undefined {
  const { at, text } = machine;
  const plain = plainWordAt(text, at);
  if (plain !== undefined) return deliverPlainWord(machine, plain);
  const end = wordEnd(machine, at);
  const next = codeAt(machine, end);
  if (machine.needsMore) return undefined;
  const word = text.slice(at, end);
  const value = jsonWords.get(word);
  if (value !== undefined && (endsWord(next) || opensNextAt(machine, end))) {
    return deliverWord(machine, value, at, end);
  }
  if (next === char.end && machine.frames.length > 0) {
    const meant = [...jsonWords].find(([literal]) => literal.startsWith(word));
    if (meant !== undefined) {
      deliver(machine, meant[1], at);
      return endOfText(machine, 'cut', 'cut-word', at);
    }
  }
  return applyFirst(wordFixes, machine, text.charCodeAt(at)) ?? fail(machine, 'a value');
}
