import { realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, relative } from 'node:path';
import { isInside } from '../paths/real-path.ts';

/**
 * Whether a path in a folder that commands may write is led elsewhere by a link below that folder. A command may have made it, and
 * would be shown, or be let write, whatever it leads to.
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
      // What is not there is left out anyway.
      return false;
    }
  });
}
