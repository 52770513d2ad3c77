import { isAbsolute, relative, sep } from 'node:path';

/** A path as models and people read it: relative to the working directory where it lies below it, `.` for that itself. */
export function showPath(cwd: string, path: string): string {
  const below = relative(cwd, path);
  if (below === '') return '.';
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return escapeControls(path);
  return escapeControls(sep === '/' ? below : below.replaceAll(sep, '/'));
}

/** A line break in a name must not look like one of the listing. */
function escapeControls(path: string): string {
  return /[\u0000-\u001F\u007F]/.test(path) ? JSON.stringify(path) : path;
}
