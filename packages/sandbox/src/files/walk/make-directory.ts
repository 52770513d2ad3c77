import { mkdirSync } from 'node:fs';
import { errnoOf } from '../../sandbox-failure.ts';

/** Creates a directory. If the name exists already, the caller checks the existing entry. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
