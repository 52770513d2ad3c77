import { isWhitespace } from './characters.ts';
import { createMachine } from './machine.ts';
import { SURE, quotedKeyAt } from './follow.ts';
import { mayOpenString } from './delimiters.ts';
import { toMachineLimits } from './read-value.ts';

/** Where an object begins whose opening brace is missing: the text starts with a quoted key and a colon. Otherwise -1. */
export function followableKeyAt(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhitespace(text.charCodeAt(at))) at += 1;
  if (!mayOpenString(text.charCodeAt(at))) return -1;
  const limits = toMachineLimits();
  const machine = createMachine({ text, at, ended: true, state: () => undefined, stopped: false, limits });
  return quotedKeyAt(machine, at, true) === SURE ? at : -1;
}
