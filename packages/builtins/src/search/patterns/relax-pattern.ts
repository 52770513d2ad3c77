import { readPattern, type PatternPiece } from './read-pattern.ts';

/**
 * A pattern in ripgrep's dialect that finds something wherever a JavaScript one does, in the bytes of a file of any encoding
 * that agrees with ASCII, and perhaps elsewhere: what the two dialects read differently (look-around, references back, letters
 * that are not ASCII, places between words) is let through. Files in which it finds nothing need no search. Undefined for a
 * pattern that can't be read, or of which nothing would be left.
 */
export function relaxPattern(source: string, flags: string): string | undefined {
  const pieces = readPattern(source, flags);
  if (pieces === undefined) return undefined;
  const relaxed: string[] = [];
  let isUseful = false;
  let lookDepth = 0;
  for (const piece of pieces) {
    if (lookDepth > 0 || (piece.kind === 'open' && piece.isLook)) {
      if (piece.kind === 'open') lookDepth += 1;
      if (piece.kind === 'close') lookDepth -= 1;
      if (piece.kind === 'close' && lookDepth === 0) relaxed.push('(?:)');
      continue;
    }
    const rendered = relaxPiece(piece, flags);
    if (rendered === undefined) return undefined;
    isUseful ||= piece.kind === 'atom';
    relaxed.push(rendered);
  }
  return isUseful ? relaxed.join('') : undefined;
}

const highBytes = '[\\x80-\\xff]+';

function relaxPiece(piece: PatternPiece, flags: string): string | undefined {
  switch (piece.kind) {
    case 'atom':
      return relaxAtom(piece.text, flags);
    case 'anchor':
      // A byte order mark may stand before the first line, and carriage returns alone may end lines.
      if (piece.text === '^') return '(?-u:(?m:^)|\\r|\\xbf)';
      return piece.text === '$' ? '(?-u:(?m:$)|\\r)' : '(?:)';
    case 'reference':
      return '(?-u:[^\\n]*)';
    case 'open':
      return '(?:';
    default:
      return piece.text;
  }
}

/** The bytes that a character stands for which an atom takes: what is not ASCII is a run of bytes beyond it. */
function relaxAtom(atom: string, flags: string): string | undefined {
  const pattern = new RegExp(`^(?:${atom})$`, flags);
  const bytes: string[] = [];
  for (let code = 0; code < 0x80; code += 1) {
    if (code !== 10 && pattern.test(String.fromCharCode(code))) bytes.push(`\\x${code.toString(16).padStart(2, '0')}`);
  }
  const isHigh = !isAsciiOnly(atom, flags);
  if (bytes.length === 0) return isHigh ? `(?-u:${highBytes})` : undefined;
  const low = bytes.length === 1 ? bytes[0]! : `[${bytes.join('')}]`;
  return `(?-u:${isHigh ? `${low}|${highBytes}` : low})`;
}

/** Whether it is plain at a glance that an atom takes nothing but ASCII. */
function isAsciiOnly(atom: string, flags: string): boolean {
  // The Kelvin sign and the long s fold to ASCII letters.
  if (flags.includes('i') && flags.includes('u')) return false;
  if (/^[\x00-\x7F]$/.test(atom)) return atom !== '.';
  if (/^\\(?:[dwnrtvf0]|x[0-7][0-9A-Fa-f]|u00[0-7][0-9A-Fa-f]|c[A-Za-z]|[^A-Za-z0-9\x80-\uFFFF])$/.test(atom))
    return true;
  return /^\[(?!\^)(?:[^\\\]\x80-\uFFFF]|\\[dwnrtvfb]|\\[^A-Za-z0-9\x80-\uFFFF])+\]$/.test(atom);
}
