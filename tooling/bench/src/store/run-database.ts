import { runModule } from '@haft-tooling/measure';

/** Number of sets and gets per second. */
export interface Pace {
  readonly sets: number;
  readonly gets: number;
}

/** Measures a database once, in a separate process and an empty location. */
export function runDatabase(name: string, place: string, documents: number): Promise<Pace> {
  return runModule(new URL('database-process.ts', import.meta.url), [name, place, `${documents}`]);
}
