import { decodeText } from './decode-text.ts';

/** Bullets, comment signs, times, numbers, hashes, paths and quotation marks that tools put before lines, such as `12#ab:`. */
const lineAnchor =
  /^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\w.,:+-]{0,12}\]?[ \t]+(?:\[?[A-Z]{3,8}\]?:?[ \t]+)?|[[(]\d{1,6}[\])][ \t]+)?(?:[>|*+#%;!/\u2022\u00b7-][ \t]*){0,8}(?:(?:[^\s:|"'`<>(){}[\]]{1,200}[:-])?L?\d{1,9}(?:#[\w-]{1,16}|[:.]\d{1,9})?(?:\t|[ \t]*[:|\u2192\u2502\u00bb>)\].-][ \t]?|[ \t]+))?/gm;
const untrustedMark = /<\/?untrusted(?:-[\w-]{1,64})?(?:\s[^<>\n]{0,199})?>/gi;
const markup = /<\/?[a-z][^<>]{0,1000}>/gi;
/** Terminal sequences, and characters that are not seen. */
const invisibleCharacters = new RegExp('\\u001b\\[[0-9;]{0,16}m|[\\p{Default_Ignorable_Code_Point}\\p{Cf}]', 'gu');
/** What stands where a word was broken at the end of a line. */
const hyphen = /(?<=\p{L})-\n[ \t]*(?=\p{L})/gu;
/** Blanks, quotation marks, commas, equals signs, which end a line of quoted-printable, and the signs of emphasis, tables and string concatenation. */
const decoration = /[\s"'`\\*_~|+,=\p{Pi}\p{Pf}\u201e\u201a\u300c-\u300f]+/gu;
/** Texts of fewer characters are alike by chance. */
const minLooseCharacters = 24;

/** Stands for the blanks between two words. */
export const wordBreak = '\u0001';

/** A text as it is compared with others. */
export interface ComparableText {
  /** Without blanks that separate no words, quotation marks and escapes: as it is, and without what stands before lines. */
  readonly exact: readonly string[];
  /** The same in small letters, without all blanks, decoration, encodings and HTML markup around encoded text. */
  readonly loose: readonly string[];
}

/** Removes what tools put before each line of a file. */
export function withoutLineAnchors(text: string): string {
  return text.replace(lineAnchor, '');
}

/** Removes the marks that stand around text of strangers. */
export function withoutUntrustedMarks(text: string): string {
  return text.replace(untrustedMark, '\n');
}

/**
 * Returns the forms in which a text is compared with another. Takes time in proportion to its length.
 *
 * @param isPage Whether the text may be the source of a page, in which markup stands around what people read.
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
