import { hasOwnClosers } from '../machine/own-closer.ts';
import type { Machine } from '../machine/machine.ts';
import { dueClosers, note } from '../machine/operations.ts';

/**
 * Closes everything that is open at the end of the text, and records how the text ended: `open` after a complete value,
 * `cut` inside one or after a comma, a colon or a key. `code` names the part that was cut.
 */
export function endOfText(machine: Machine, ending: 'open' | 'cut', code?: string, start?: number): undefined {
  const { frames, text } = machine;
  const end = text.length;
  if (frames.length === 0 && ending === 'open') return undefined;
  const risk = ending === 'cut' || !machine.stopped ? 'truncated' : 'lossy';
  if (code !== undefined) note(machine, code, 'truncated', start ?? end, end, '');
  if (frames.length > 0) note(machine, 'missing-closers', risk, end, end, dueClosers(machine, -1));
  machine.ending = ending;
  // Containers that were closed before may be complete, such as the arguments in a wrapper object.
  if (machine.ended) machine.hasUncertainEnd ||= !hasOwnClosers(machine, end, frames[0]);
  machine.cutKey = machine.frame?.key;
  machine.unclosed = frames.map((frame) => (frame.kind === 'array' ? frame.items : frame.members));
  if (frames[0]?.kind === 'call') machine.positional = frames[0].items;
  frames.length = 0;
  machine.frame = undefined;
  machine.rootEnd = end;
  machine.at = end;
  return undefined;
}
