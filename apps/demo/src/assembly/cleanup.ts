/** Actions to run at the end, newest first. */
export interface Cleanup {
  defer(end: () => Promise<void>): void;
  /** Runs all actions, even if some fail. Rejects with the first failure. */
  run(): Promise<void>;
}

/** Creates an empty list. (The oldest supported Node has no `AsyncDisposableStack`.) */
export function createCleanup(): Cleanup {
  const endings: (() => Promise<void>)[] = [];
  return {
    defer: (end) => void endings.push(end),
    async run() {
      let failed: { readonly reason: unknown } | undefined;
      for (let end = endings.pop(); end; end = endings.pop()) {
        try {
          await end();
        } catch (reason) {
          failed ??= { reason };
        }
      }
      if (failed) throw failed.reason;
    },
  };
}
