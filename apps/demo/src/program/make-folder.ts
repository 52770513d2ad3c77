import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.ts';

/**
 * Creates a folder and its parents, or none of them. Does not use Node's `recursive` option, which never returns where
 * no folder can be created, such as in /proc.
 *
 * @throws UsageError if the system refuses.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  const made: string[] = [];
  try {
    for (const folder of missing) {
      mkdirSync(folder);
      made.unshift(folder);
    }
  } catch (error) {
    for (const folder of made) rmdirSync(folder);
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`${path} can't be created (${code}): choose a folder that you may write to`);
  }
}
