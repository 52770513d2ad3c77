import type { Store } from '../documents/store.ts';

/** The three functions of a test runner that the suite needs; vitest, jest and node:test wrappers fit. */
export interface TestApi {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void> | void) => void;
  readonly expect: (actual: unknown) => { toEqual(expected: unknown): void };
}

/** A law: what holds, and how that is shown. `open` gives further stores over the same place. */
export interface Law {
  readonly name: string;
  prove(store: Store, expect: TestApi['expect'], open: () => Promise<Store>): Promise<void>;
}
