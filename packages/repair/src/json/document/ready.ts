/**
 * Loads everything that this entry needs. Returns `undefined` if it is loaded already, which is always the case outside
 * Node. On Node, the first text that needs it loads the repair code synchronously. Only if that is impossible, because
 * another part of the program is importing it at the moment, returns a promise. Until it resolves, `repairJson` throws.
 */
export const ready = (): Promise<void> | undefined => undefined;
