import { afterBetween } from '../between.ts';
import { COMMA, SEMICOLON, toNarrow } from '../characters.ts';
import { SURE, quotedKeyAt } from '../follow.ts';
import { close, codeAt, note, type Machine, type State } from '../machine.ts';
import { afterValue } from './after-value.ts';

/** The closer of the innermost container stands at the cursor. `{"a": 1|}` */
export function closeFrame(machine: Machine): State | undefined {
  const { at, frame } = machine;
  if (frame !== undefined && machine.frames.length === 1 && frame.kind === 'object') {
    // `{"a": 1}, "b": 2}`: members follow, so this brace closed nothing.
    const next = afterBetween(machine, at + 1);
    const sign = toNarrow(codeAt(machine, next));
    const goesOn =
      (sign === COMMA || sign === SEMICOLON) && quotedKeyAt(machine, afterBetween(machine, next + 1), true) === SURE;
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
  return machine.frame === undefined ? undefined : afterValue;
}
