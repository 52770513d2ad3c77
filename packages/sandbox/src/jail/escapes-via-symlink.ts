import { realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, relative } from 'node:path';
import { isInside } from '../paths/real-path.ts';

/**
 * Returns true if a link inside a writable directory redirects a path in it. A jailed command may have created the link
 * to gain access to its target.
 */
export function escapesViaSymlink(path: string, writable: readonly string[]): boolean {
  if (!isAbsolute(path)) return false;
  const plain = normalize(path).replace(/(?<=.)[\\/]$/, '');
  return writable.filter(isAbsolute).some((given) => {
    const folder = normalize(given);
    if (!isInside(folder, plain)) return false;
    try {
      return realpathSync(plain) !== join(realpathSync(folder), relative(folder, plain));
    } catch {
      // Missing paths are ignored anyway.
      return false;
    }
  });
}
