import type { Paint } from './paint.ts';
import { showable } from './showable.ts';

const shownCharacters = 400;

/** The lines of a unified diff below its file names, at most `limit`; the last line counts the omitted ones. */
export function formatPatch(patch: string, paint: Paint, limit = 200): readonly string[] {
  const lines = patch.replace(/\n$/, '').split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  const body = lines.filter(
    (line, index) => first < 0 || index >= first || !/^(?:diff |index |--- |\+\+\+ )/.test(line),
  );
  const shown = body.slice(0, limit).map((line) => dress(cut(showable(line)), paint));
  const left = body.length - shown.length;
  return left > 0 ? [...shown, paint('quiet', `… ${left} more ${left === 1 ? 'line' : 'lines'}`)] : shown;
}

function dress(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('added', line);
  if (line.startsWith('-')) return paint('removed', line);
  return line.startsWith(' ') ? line : paint('quiet', line);
}

function cut(line: string): string {
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
}
