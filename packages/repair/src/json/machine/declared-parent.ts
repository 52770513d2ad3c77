import type { Machine } from './machine.ts';
import { close, note } from './operations.ts';

/**
 * Closes the innermost objects if a key is declared for an outer object and not for them: their closers are missing.
 * `{"filter": {"safe": true, "limit": 3}` with `limit` declared beside `filter`.
 */
export function closeForKey(machine: Machine, key: string, at: number): void {
  if (machine.shape === undefined) return;
  const { frames } = machine;
  let level = frames.length - 1;
  while (level > 0 && isForeign(machine, level, key)) level -= 1;
  if (level === frames.length - 1 || frames[level]?.shape?.hasMember(key) !== true) return;
  let due = '';
  while (frames.length - 1 > level) {
    due += String.fromCharCode(machine.frame?.closer ?? 0);
    close(machine, at);
  }
  note(machine, 'missing-closer', 'lossy', at, at, due);
}

function isForeign({ frames }: Machine, level: number, key: string): boolean {
  const frame = frames[level];
  if (frame?.kind === 'array') return level < frames.length - 1;
  return frame?.shape?.isClosed === true && !frame.shape.hasMember(key);
}
