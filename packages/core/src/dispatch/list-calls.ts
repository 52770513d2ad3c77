/** What is said of anything else than a list of calls. */
export const noListOfCalls = 'dispatchBatch expects a list of calls; use dispatch for one';

/** Every call of a list, also where there is a hole in it; nothing for what is no list. Never throws. */
export function listCalls(given: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(given) ? Array.from(given as readonly unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
