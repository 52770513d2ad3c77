import { isAbsolute, relative, sep } from 'node:path';

/**
 * Formats a path for models and users: relative to the working directory if it is below it, and `.` for the working
 * directory itself.
 */
export function showPath(cwd: string, path: string): string {
  const below = relative(cwd, path);
  if (below === '') return '.';
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return escapeControls(path);
  return escapeControls(sep === '/' ? below : below.replaceAll(sep, '/'));
}

/** Escapes line breaks, so that a name can't look like several lines. */
function escapeControls(path: string): string {
  return /[\u0000-\u001F\u007F]/.test(path) ? JSON.stringify(path) : path;
}
