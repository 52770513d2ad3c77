import type { Store } from '../documents/store.ts';

/** The three test runner functions that the suite needs. vitest, jest and node:test wrappers match. */
export interface TestApi {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void> | void) => void;
  readonly expect: (actual: unknown) => { toEqual(expected: unknown): void };
}

/** A property of every store and its test. `open` opens further stores on the same storage. */
export interface Law {
  readonly name: string;
  prove(store: Store, expect: TestApi['expect'], open: () => Promise<Store>): Promise<void>;
}
