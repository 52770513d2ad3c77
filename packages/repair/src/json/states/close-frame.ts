import { afterBetween } from '../between.ts';
import {
  AMPERSAND,
  BACKSLASH,
  COMMA,
  END,
  HASH,
  QUOTE,
  SEMICOLON,
  SLASH,
  isNameStart,
  toNarrow,
} from '../characters.ts';
import { isDamagedKeyAt, nameEnd } from '../damaged-key.ts';
import { NO, SURE, isPlainKeyAt, nameKeyAt, quotedKeyAt } from '../follow.ts';
import { hasOwnClosers } from '../own-closer.ts';
import { mayOpenString } from '../delimiters.ts';
import { close, codeAt, note, type Frame, type Machine, type State } from '../machine.ts';
import { afterValue } from './after-value.ts';

/** The closer of the innermost container stands at the cursor. `{"a": 1|}` */
export function closeFrame(machine: Machine): State | undefined {
  const { at, frame } = machine;
  if (frame !== undefined && machine.frames.length === 1 && frame.kind === 'object') {
    // `{"a": 1}, "b": 2}`: members follow, so this brace closed nothing.
    const sign = afterBetween(machine, at + 1);
    const separator = toNarrow(codeAt(machine, sign));
    const key = separator === COMMA || separator === SEMICOLON ? afterBetween(machine, sign + 1) : -1;
    const goesOn =
      key !== -1 &&
      (quotedKeyAt(machine, key, true) === SURE ||
        isDamagedKeyAt(machine, key) ||
        (frame.hasBareKeys && isPlainKeyAt(machine, key)));
    if (machine.starved) return undefined;
    if (goesOn) {
      note(machine, 'extra-closer', 'lossy', at, at + 1, '');
      machine.at = at + 1;
      machine.last = 'container';
      return afterValue;
    }
  }
  if (frame !== undefined && frame.comma !== -1)
    note(machine, 'trailing-comma', 'safe', frame.comma, frame.comma + 1, '');
  machine.at = at + 1;
  close(machine, at + 1);
  if (machine.frame === undefined && machine.ended && frame !== undefined)
    machine.hasDoubtfulEnd ||=
      (frame.kind === 'object' && isCutBehind(machine, frame)) || !hasOwnClosers(machine, at + 1, frame);
  return machine.frame === undefined ? undefined : afterValue;
}

/** `{"a": 1}, "b`: whether the text may have been cut in members that follow the root, which was closed by mistake then. */
function isCutBehind(machine: Machine, root: Frame): boolean {
  const at = afterBetween(machine, machine.at);
  const sign = toNarrow(codeAt(machine, at));
  if (sign === COMMA || (sign === SEMICOLON && machine.hasSemicolons))
    return mayBeginKey(machine, afterBetween(machine, at + 1), root.hasBareKeys);
  // A quote right behind the root ends one around it, or begins a key without a comma before it.
  return sign === QUOTE && machine.text[root.start - 1] !== '"' && quotedKeyAt(machine, at, false) !== NO;
}

/** Whether a key may begin at an offset, or a comment before one, as far as the text goes. */
function mayBeginKey(machine: Machine, at: number, mayBeBare: boolean): boolean {
  const code = codeAt(machine, at);
  if (isNameStart(code)) return nameKeyAt(machine, at, false) !== NO && (mayBeBare || isCutName(machine, at));
  const isFiller = code === SLASH || code === HASH || code === BACKSLASH;
  return code === END || code === AMPERSAND || isFiller || mayOpenString(code);
}

function isCutName(machine: Machine, at: number): boolean {
  return codeAt(machine, afterBetween(machine, nameEnd(machine, at))) === END;
}
