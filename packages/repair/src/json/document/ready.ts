/**
 * Makes sure that all of this entry is loaded. Answers `undefined` when it is, as it always is outside Node. On Node, what
 * repairs comes with the first text that needs it, at once; only where it can't come at once (another part of the program
 * is importing it at this moment) is there something to wait for, and `repairJson` throws until then.
 */
export function ready(): Promise<void> | undefined {
  return undefined;
}
