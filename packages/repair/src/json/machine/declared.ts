import { dueShape } from './operations.ts';
import type { Machine, State } from './machine.ts';
import { deliver, note } from './operations.ts';

/** Whether text is declared where something of another type seems to stand. */
export function isTextDue(machine: Machine, kind: 'number' | 'boolean' | 'null'): boolean {
  const kinds = machine.shape === undefined ? undefined : dueShape(machine)?.kinds;
  if (kinds === undefined || !kinds.has('string') || kinds.has(kind)) return false;
  return kind !== 'number' || !kinds.has('integer');
}

/** Hands over what stands between two offsets as it is written, since a string is declared: `1.10`, `007`, `None`. */
export function deliverSource(machine: Machine, at: number, end: number): State | undefined {
  const source = machine.text.slice(at, end);
  note(machine, 'declared-string', 'safe', at, end, JSON.stringify(source.slice(0, 58)));
  deliver(machine, source, at);
  machine.at = end;
  machine.last = 'string';
  machine.lastStart = at;
  return machine.failure === undefined ? 'afterValue' : undefined;
}
