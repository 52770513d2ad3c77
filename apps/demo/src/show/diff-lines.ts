import type { FileDiff } from '@haft/core';
import type { Paint } from './paint.ts';
import { showable } from './showable.ts';

/** The changed lines of a diff with their signs, at most `limit`; the last line counts the omitted ones. */
export function formatDiff(diff: FileDiff, paint: Paint, limit = 8): readonly string[] {
  const changed = diff.patch.split('\n').filter((line) => /^[+-]/.test(line) && !/^(\+\+\+|---) /.test(line));
  const shown = changed
    .slice(0, limit)
    .map((line) => paint(line.startsWith('+') ? 'added' : 'removed', showable(line)));
  const left = changed.length - shown.length;
  return left > 0 ? [...shown, paint('quiet', `… ${left} more ${left === 1 ? 'line' : 'lines'}`)] : shown;
}
