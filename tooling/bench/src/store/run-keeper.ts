import { runModule } from '@haft-tooling/measure';

/** How many sets and gets a keeper did a second. */
export interface Pace {
  readonly sets: number;
  readonly gets: number;
}

/** Measures a keeper once, in a process of its own and over an empty place. */
export function runKeeper(name: string, place: string, documents: number): Promise<Pace> {
  return runModule(new URL('keeper-process.ts', import.meta.url), [name, place, `${documents}`]);
}
