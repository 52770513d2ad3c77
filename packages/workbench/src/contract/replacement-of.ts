/** Returns the replacement of a repair. For a string with other quotes, returns the whole string. */
export function replacementOf({ found, assumed }: { readonly found: string; readonly assumed: string }): string {
  const isRequoted = assumed === '"' && /^(['"`“”‘’«»„]).*(['"`“”‘’«»„])$/su.test(found) && found.length > 2;
  return isRequoted ? `"${found.slice(1, -1)}"` : assumed;
}
