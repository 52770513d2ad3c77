/** A line ending. */
export type Eol = '\n' | '\r\n' | '\r';

/** The line endings of a text: one kind, several (`mixed`), or `none` in a text of one line. */
export type EolStyle = Eol | 'mixed' | 'none';

interface EolCount {
  readonly eol: Eol;
  readonly count: number;
}

/** Says which line endings a text has. */
export function detectEol(text: string): EolStyle {
  const used = countEols(text).filter(({ count }) => count > 0);
  if (used.length > 1) return 'mixed';
  return used[0]?.eol ?? 'none';
}

/** The line ending a text has most of; of equally many the first of `\n`, `\r\n`, `\r`. Without any, `\n`. */
export function dominantEol(text: string): Eol {
  return countEols(text).reduce((best, next) => (next.count > best.count ? next : best)).eol;
}

/** Turns `\r\n` and lone `\r` into `\n`. */
export function toLf(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/**
 * Gives every line of a text the same ending.
 *
 * @param finalNewline - true makes the text end in one line ending at least, false in none; left out, the end stays.
 */
export function normalizeEol(text: string, eol: Eol, finalNewline?: boolean): string {
  let lines = toLf(text);
  if (finalNewline === true && lines !== '' && !lines.endsWith('\n')) lines += '\n';
  if (finalNewline === false) lines = lines.replace(/(?<!\n)\n+$/, '');
  return eol === '\n' ? lines : lines.replaceAll('\n', eol);
}

/** Says whether a text ends in a line ending. */
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
