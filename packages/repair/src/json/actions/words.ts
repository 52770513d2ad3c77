import * as char from '../text/char.ts';
import { isNamePart, toNarrow } from '../text/characters.ts';
import type { JsonValue } from '../result/json-value.ts';
import { endsToken } from '../text/plain-text.ts';
import { codeAt, deliver, type Machine, type State } from '../machine/machine.ts';

/** Hands over one of JSON's own words at the cursor. */
export function deliverPlainWord(machine: Machine, word: 'true' | 'false' | 'null'): State | undefined {
  const { at } = machine;
  const end = at + word.length;
  return deliverWord(machine, word === 'null' ? null : word === 'true', at, end);
}

/** Hands over what a word between two offsets stands for. */
export function deliverWord(machine: Machine, value: JsonValue, at: number, end: number): State | undefined {
  deliver(machine, value, at);
  machine.at = end;
  machine.last = 'word';
  machine.lastStart = at;
  return machine.failure === undefined ? 'afterValue' : undefined;
}

/** Where the name beginning at an offset ends. */
export function wordEnd(machine: Machine, at: number): number {
  let end = at;
  while (isNamePart(codeAt(machine, end))) end += 1;
  return end;
}

/** Whether a character can stand directly after a word that is a value of its own. */
export function endsWord(code: number): boolean {
  return endsToken(code) || code === char.end || ');/#\\,}]'.includes(String.fromCharCode(toNarrow(code)));
}
