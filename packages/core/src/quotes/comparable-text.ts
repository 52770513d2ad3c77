import { decodeText } from './decode-quoted-text.ts';

/**
 * Prefixes that tools put before lines, such as `12#ab:`: bullets, comment signs, times, numbers, hashes, paths and
 * quotes.
 */
const lineAnchor =
  /^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\w.,:+-]{0,12}\]?[ \t]+(?:\[?[A-Z]{3,8}\]?:?[ \t]+)?|[[(]\d{1,6}[\])][ \t]+)?(?:[>|*+#%;!/\u2022\u00b7-][ \t]*){0,8}(?:(?:[^\s:|"'`<>(){}[\]]{1,200}[:-])?L?\d{1,9}(?:#[\w-]{1,16}|[:.]\d{1,9})?(?:\t|[ \t]*[:|\u2192\u2502\u00bb>)\].-][ \t]?|[ \t]+))?/gm;
const untrustedMark = /<\/?untrusted(?:-[\w-]{1,64})?(?:\s[^<>\n]{0,199})?>/gi;
const markup = /<\/?[a-z][^<>]{0,1000}>/gi;
/** Terminal sequences and invisible characters. */
const invisibleCharacters = new RegExp('\\u001b\\[[0-9;]{0,16}m|[\\p{Default_Ignorable_Code_Point}\\p{Cf}]', 'gu');
/** The hyphen of a word that is split at the end of a line. */
const hyphen = /(?<=\p{L})-\n[ \t]*(?=\p{L})/gu;
/**
 * Whitespace, quotation marks, commas, equals signs (line ends of quoted-printable), and characters of emphasis, tables
 * and string concatenation.
 */
const decoration = /[\s"'`\\*_~|+,=\p{Pi}\p{Pf}\u201e\u201a\u300c-\u300f]+/gu;
/** Minimum length of a text, because shorter texts may be equal by chance. */
const minLooseCharacters = 24;

/** The character that replaces the whitespace between two words. */
export const wordBreak = '\u0001';

/** Normalized forms of a text for comparison. */
export interface ComparableText {
  /** Text without redundant whitespace, quotation marks and escapes: once unchanged, and once without line prefixes. */
  readonly exact: readonly string[];
  /**
   * Text that is also in lower case, and without whitespace, decoration, encoding, and HTML markup around encoded text.
   */
  readonly loose: readonly string[];
}

/** Removes the prefixes that tools put before each line of a file. */
export function withoutLineAnchors(text: string): string {
  return text.replace(lineAnchor, '');
}

/** Removes the marks around untrusted text. */
export function withoutUntrustedMarks(text: string): string {
  return text.replace(untrustedMark, '\n');
}

/**
 * Returns the forms of a text for comparison, in linear time.
 *
 * @param isPage whether the text may be the HTML source of a page.
 */
export function comparableForms(text: string, isPage: boolean): ComparableText {
  const seen = text.replace(invisibleCharacters, '');
  const plain = decodeText(seen);
  const lines = withoutLineAnchors(plain);
  const shown = isPage && seen.includes('>') ? [decodeText(seen.replace(markup, ''))] : [];
  return {
    exact: [...new Set([plain, lines].map(condense))],
    loose: [...new Set([plain, lines, ...shown].map(strip))].filter(({ length }) => length >= minLooseCharacters),
  };
}

function condense(text: string): string {
  return text
    .replace(/[\\"'`]/g, '')
    .replace(/(\w)\s+(?=\w)/g, `$1${wordBreak}`)
    .replace(/\s+/g, '');
}

function strip(text: string): string {
  return text
    .replace(invisibleCharacters, '')
    .replace(hyphen, '')
    .normalize('NFKC')
    .replace(decoration, '')
    .toLowerCase();
}
