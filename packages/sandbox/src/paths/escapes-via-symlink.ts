import { realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, relative } from 'node:path';
import { isInside } from './real-path.ts';

/**
 * Returns true if a link inside a writable directory redirects a path in it. A jailed command may have created the link
 * to gain access to its target.
 */
export function escapesViaSymlink(path: string, writable: readonly string[]): boolean {
  if (!isAbsolute(path)) return false;
  const normalized = normalize(path).replace(/(?<=.)[\\/]$/, '');
  return writable.filter(isAbsolute).some((given) => {
    const directory = normalize(given);
    if (!isInside(directory, normalized)) return false;
    try {
      return realpathSync(normalized) !== join(realpathSync(directory), relative(directory, normalized));
    } catch {
      // Missing paths are ignored anyway.
      return false;
    }
  });
}
