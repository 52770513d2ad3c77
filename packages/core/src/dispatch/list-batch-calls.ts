/** Error message for a value that is not an array of calls. */
export const noListOfCalls = 'dispatchBatch expects an array of calls; use dispatch for one call';

/**
 * Returns every item of an array of calls, including holes. Returns `undefined` if the value is not an array. Never
 * throws.
 */
export function listCalls(given: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(given) ? Array.from(given as readonly unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
