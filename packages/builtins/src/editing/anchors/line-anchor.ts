/** A line, named by its number and a short hash of what it holds. */
export interface LineAnchor {
  /** Counted from 1. */
  readonly line: number;
  /** Three or four hexadecimal digits. */
  readonly hash: string;
}

/** Hexadecimal digits of a line's hash: 3 or 4. */
export type HashLength = 3 | 4;

/** A short hash of a line without its break (FNV-1a over its UTF-16 code units, folded): not secret, only telling. */
export function hashLine(text: string, length: HashLength): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  const folded = ((hash >>> 16) ^ hash) & 0xffff;
  return folded.toString(16).padStart(4, '0').slice(0, length);
}

/** A line as `read` shows it when it is asked for hashes. */
export function showAnchored(line: number, text: string, length: HashLength, shown: string = text): string {
  return `${line}:${hashLine(text, length)}→${shown}`;
}

const written = /^\s*(\d{1,9}):([0-9a-fA-F]{3,4})(?:[→|][^]*)?\s*$/;

/** Reads `12:a1b2`, also with the text of the line after it, as `read` shows it; undefined when it has another form. */
export function parseAnchor(given: string): LineAnchor | undefined {
  const found = written.exec(given);
  return found ? { line: Number(found[1]), hash: found[2]!.toLowerCase() } : undefined;
}
