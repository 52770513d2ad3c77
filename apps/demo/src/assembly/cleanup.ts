/** What has to be ended later; the newest is ended first. */
export interface Cleanup {
  defer(end: () => Promise<void>): void;
  /** Ends everything, also where one ending fails; rejects with the first failure. */
  run(): Promise<void>;
}

/** Makes an empty list. (The oldest Node this runs on has no `AsyncDisposableStack`.) */
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
