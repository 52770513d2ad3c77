/** A line ending. */
export type Eol = '\n' | '\r\n' | '\r';

/** The line endings of a text: one kind, several (`mixed`), or `none` in a text of one line. */
export type EolStyle = Eol | 'mixed' | 'none';

interface EolCount {
  readonly eol: Eol;
  readonly count: number;
}

/**
 * Returns the kind of line endings of a text.
 *
 * @example
 * import { detectEol } from '@haft/sandbox';
 * detectEol('a\r\nb\r\n'); // => '\r\n'
 */
export function detectEol(text: string): EolStyle {
  const used = countEols(text).filter(({ count }) => count > 0);
  if (used.length > 1) return 'mixed';
  return used[0]?.eol ?? 'none';
}

/**
 * Returns the most frequent line ending of a text; on a tie the first of `\n`, `\r\n`, `\r`; `\n` if there are no line
 * breaks.
 *
 * @example
 * import { dominantEol } from '@haft/sandbox';
 * dominantEol('a\r\nb\r\nc\n'); // => '\r\n'
 */
export function dominantEol(text: string): Eol {
  return countEols(text).reduce((best, next) => (next.count > best.count ? next : best)).eol;
}

/**
 * Converts `\r\n` and lone `\r` to `\n`.
 *
 * @example
 * import { toLf } from '@haft/sandbox';
 * toLf('a\r\nb\r'); // => 'a\nb\n'
 */
export function toLf(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/**
 * Converts all line endings of a text to one kind.
 *
 * @param finalNewline - true adds a missing final line ending, false removes all final line endings, undefined leaves
 * the end unchanged.
 * @example
 * import { normalizeEol } from '@haft/sandbox';
 * normalizeEol('a\r\nb', '\n', true); // => 'a\nb\n'
 */
export function normalizeEol(text: string, eol: Eol, finalNewline?: boolean): string {
  let lines = toLf(text);
  if (finalNewline === true && lines !== '' && !lines.endsWith('\n')) lines += '\n';
  if (finalNewline === false) lines = lines.replace(/(?<!\n)\n+$/, '');
  return eol === '\n' ? lines : lines.replaceAll('\n', eol);
}

/**
 * Returns true if a text ends with a line ending.
 *
 * @example
 * import { hasFinalNewline } from '@haft/sandbox';
 * hasFinalNewline('a\n'); // => true
 */
export function hasFinalNewline(text: string): boolean {
  return text.endsWith('\n') || text.endsWith('\r');
}

function countEols(text: string): readonly EolCount[] {
  let lf = 0;
  let crlf = 0;
  let cr = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10) lf += 1;
    else if (code !== 13) continue;
    else if (text.charCodeAt(index + 1) !== 10) cr += 1;
    else {
      crlf += 1;
      index += 1;
    }
  }
  return [
    { eol: '\n', count: lf },
    { eol: '\r\n', count: crlf },
    { eol: '\r', count: cr },
  ];
}
