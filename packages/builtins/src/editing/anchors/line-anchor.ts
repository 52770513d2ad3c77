/** A line, identified by its number and a short hash of its text. */
export interface LineAnchor {
  /** Counted from 1. */
  readonly line: number;
  /** Three or four hexadecimal digits. */
  readonly hash: string;
}

/** Hexadecimal digits of a line's hash: 3 or 4. */
export type HashLength = 3 | 4;

/** Returns a short hash of a line without its line break (folded FNV-1a over UTF-16 code units). Not for security. */
export function hashLine(text: string, length: HashLength): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  const folded = ((hash >>> 16) ^ hash) & 0xffff;
  return folded.toString(16).padStart(4, '0').slice(0, length);
}

/** Formats a line with its anchor, as `read` does. */
export function showAnchored(line: number, text: string, length: HashLength, shown: string = text): string {
  return `${line}:${hashLine(text, length)}→${shown}`;
}

const written = /^\s*(\d{1,9}):([0-9a-fA-F]{3,4})(?:[→|][^]*)?\s*$/;

/** Parses `12:a1b2`, with or without the text of the line after it. Returns undefined for any other form. */
export function parseAnchor(given: string): LineAnchor | undefined {
  const found = written.exec(given);
  return found ? { line: Number(found[1]), hash: found[2]!.toLowerCase() } : undefined;
}
