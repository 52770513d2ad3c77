import { END, isNamePart, toNarrow } from '../characters.ts';
import { deliverSource, isTextDue } from '../declared.ts';
import { applyFirst } from '../fix.ts';
import { opensNextAt } from '../follow.ts';
import { wordFixes } from '../fixes/index.ts';
import type { JsonValue } from '../json-value.ts';
import { endsPlainly, plainWordAt } from '../plain-text.ts';
import { codeAt, deliver, fail, type Machine, type State } from '../machine.ts';
import { afterValue } from './after-value.ts';
import { endOfText } from './end-of-text.ts';

const JSON_WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
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
  if (machine.starved) return undefined;
  const word = text.slice(at, end);
  const value = JSON_WORDS.get(word);
  if (value !== undefined && (endsWord(next) || opensNextAt(machine, end))) {
    const isText = value !== null && isTextDue(machine, 'boolean');
    return isText ? deliverSource(machine, at, end) : deliverWord(machine, value, at, end);
  }
  if (next === END && machine.frames.length > 0) {
    const meant = [...JSON_WORDS].find(([literal]) => literal.startsWith(word));
    if (meant !== undefined) {
      deliver(machine, meant[1], at);
      return endOfText(machine, 'cut', 'cut-word', at);
    }
  }
  return applyFirst(wordFixes, machine, text.charCodeAt(at)) ?? fail(machine, 'a value');
}

/** Hands over one of JSON's own words at the cursor. */
export function deliverPlainWord(machine: Machine, word: 'true' | 'false' | 'null'): State | undefined {
  const { at } = machine;
  const end = at + word.length;
  if (word !== 'null' && isTextDue(machine, 'boolean')) return deliverSource(machine, at, end);
  return deliverWord(machine, word === 'null' ? null : word === 'true', at, end);
}

/** Hands over what a word between two offsets stands for. */
export function deliverWord(machine: Machine, value: JsonValue, at: number, end: number): State | undefined {
  deliver(machine, value, at);
  machine.at = end;
  machine.last = 'word';
  machine.lastStart = at;
  return machine.failure === undefined ? afterValue : undefined;
}

/** Where the name beginning at an offset ends. */
export function wordEnd(machine: Machine, at: number): number {
  let end = at;
  while (isNamePart(codeAt(machine, end))) end += 1;
  return end;
}

/** Whether a character can stand directly after a word that is a value of its own. */
export function endsWord(code: number): boolean {
  return endsPlainly(code) || code === END || ');/#\\,}]'.includes(String.fromCharCode(toNarrow(code)));
}
