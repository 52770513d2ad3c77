import { mkdirSync } from 'node:fs';
import { errnoOf } from '../../sandbox-failure.ts';

/** Makes one directory; if the name is taken, by whatever, that is for the caller to look at. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
