/** Numbers, hashes, paths, quotation marks and bullets that tools put before lines, such as `12#ab:` or `src/a.ts:12:`. */
const lineAnchor =
  /^[ \t]*(?:[>|*+\u2022\u00b7-][ \t]*){0,8}(?:(?:[^\s:|"'`<>(){}[\]]{1,200}[:-])?L?\d{1,9}(?:#[\w-]{1,16}|[:.]\d{1,9})?(?:\t|[ \t]*[:|\u2192\u2502\u00bb>)\].-][ \t]?|[ \t]+))?/gm;
const untrustedMark = /<\/?untrusted(?:-[\w-]{1,64})?(?:\s[^<>\n]{0,199})?>/gi;
const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
};

/** Stands for the blanks between two words. */
export const wordBreak = '\u0001';

/** Removes what tools put before each line of a file. */
export function withoutLineAnchors(text: string): string {
  return text.replace(lineAnchor, '');
}

/** Removes the marks that stand around text of strangers. */
export function withoutUntrustedMarks(text: string): string {
  return text.replace(untrustedMark, '\n');
}

/**
 * Returns the forms in which a text is compared with another: without blanks that separate no words, quotation marks,
 * backslashes and the escapes of JSON and HTML; as it is, and without what stands before its lines.
 */
export function comparableForms(text: string): readonly string[] {
  const plain = text
    .replace(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrt]/g, '\n')
    .replace(/&(lt|gt|amp|quot|apos|#39|#x27);/gi, (_, name: string) => entities[name.toLowerCase()] ?? '');
  return [...new Set([condense(plain), condense(withoutLineAnchors(plain))])];
}

function condense(text: string): string {
  return text
    .replace(/[\\"'`]/g, '')
    .replace(/(\w)\s+(?=\w)/g, `$1${wordBreak}`)
    .replace(/\s+/g, '');
}
