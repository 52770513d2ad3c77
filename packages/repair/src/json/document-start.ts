import { afterBetween, mayBeginFiller } from './between.ts';
import { codeAt, createMachine } from './machine.ts';
import { SURE, quotedKeyAt } from './follow.ts';
import { mayOpenString } from './delimiters.ts';
import { afterWhitespace } from './plain-text.ts';
import { toMachineLimits } from './read-value.ts';

/** Where an object begins whose opening brace is missing: the text starts with a quoted key and a colon. Otherwise -1. */
export function followableKeyAt(text: string, from: number): number {
  const first = text.charCodeAt(afterWhitespace(text, from));
  if (!mayOpenString(first) && !mayBeginFiller(first)) return -1;
  const limits = toMachineLimits();
  const machine = createMachine({ text, at: from, ended: true, state: () => undefined, stopped: false, limits });
  const at = afterBetween(machine, from);
  if (!mayOpenString(codeAt(machine, at))) return -1;
  return quotedKeyAt(machine, at, true) === SURE ? at : -1;
}
