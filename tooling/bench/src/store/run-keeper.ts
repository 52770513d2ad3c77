import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** How many sets and gets a keeper did a second. */
export interface Pace {
  readonly sets: number;
  readonly gets: number;
}

const program = fileURLToPath(new URL('keeper-process.ts', import.meta.url));

/** Measures a keeper once, in a process of its own and over an empty place. */
export async function runKeeper(name: string, place: string, documents: number): Promise<Pace> {
  const args = ['--conditions=@haft/source', program, name, place, `${documents}`];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Pace;
}
