/** The parts of a repair that its description needs. */
interface DescribedRepair {
  readonly code: string;
  readonly found: string;
  readonly assumed: string;
}

/** Codes of repairs that mark a range and keep its text. */
const keepingCodes: ReadonlySet<string> = new Set([
  'cut-number',
  'cut-string',
  'cut-word',
  'ambiguous-closer',
  'mixed-escapes',
]);

/** Returns the replacement of a repair. For a string with other quotes, returns the whole string. */
export function replacementOf({ found, assumed }: DescribedRepair): string {
  const isRequoted = assumed === '"' && /^(['"`“”‘’«»„]).*(['"`“”‘’«»„])$/su.test(found) && found.length > 2;
  return isRequoted ? `"${found.slice(1, -1)}"` : assumed;
}

/**
 * Describes what a repair changed: the text and its replacement, or only the text if the repair keeps it. A repair of
 * all arguments names neither.
 */
export function changeOf(repair: DescribedRepair): { readonly from: string; readonly to?: string } {
  const { code, found } = repair;
  const to = replacementOf(repair);
  if (code === 'extra-tag') return { from: found === '' ? 'a tag' : found, to };
  if (found === '' && to === '') return { from: 'the call' };
  return keepingCodes.has(code) ? { from: found } : { from: found, to };
}
