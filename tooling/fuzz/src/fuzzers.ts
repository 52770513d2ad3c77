/** A fuzzer. Parses the rest of the command line and returns the exit code. */
export interface Fuzzer {
  readonly main: (args: readonly string[]) => Promise<number>;
}

export const defaultFuzzer = 'text';

/** Every fuzzer by its name in `pnpm fuzz NAME`, loaded on demand. To add one, add a folder and a line here. */
export const fuzzers: ReadonlyMap<string, () => Promise<Fuzzer>> = new Map<string, () => Promise<Fuzzer>>([
  ['text', () => import('./text/main.ts')],
  ['shell', () => import('./shell/main.ts')],
]);
