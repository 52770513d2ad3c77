import { closeTo, dueClosers, note } from './operations.ts';
import type { Machine, State } from './machine.ts';

/** Begins the member with the key that was read from an offset on. Returns the next state. */
export function beginMember(machine: Machine, key: string, at: number, isBare = false): State {
  if (machine.shape !== undefined) closeForKey(machine, key, at);
  const { frame } = machine;
  if (frame !== undefined) {
    frame.key = key;
    frame.comma = -1;
    frame.hasBareKeys ||= isBare;
  }
  return 'afterKey';
}

/** Closes the innermost objects if a key is declared for an outer object and not for them. */
function closeForKey(machine: Machine, key: string, at: number): void {
  const { frames } = machine;
  let level = frames.length - 1;
  while (level > 0 && isForeign(machine, level, key)) level -= 1;
  if (level === frames.length - 1 || frames[level]?.shape?.hasMember(key) !== true) return;
  note(machine, 'missing-closer', 'lossy', at, at, dueClosers(machine, level));
  closeTo(machine, level, at);
}

function isForeign({ frames }: Machine, level: number, key: string): boolean {
  const frame = frames[level];
  if (frame?.kind === 'array') return level < frames.length - 1;
  return frame?.shape?.isClosed === true && !frame.shape.hasMember(key);
}
