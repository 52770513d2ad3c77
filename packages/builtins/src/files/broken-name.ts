import { basename } from 'node:path';

/**
 * Whether a name in the path has bytes that are not UTF-8. No string can name such a file: each bad byte is shown as
 * `\uFFFD`.
 */
export function hasBrokenName(path: string): boolean {
  return path.includes('\uFFFD');
}

/** How to reach such a file anyway. */
export function hintForBrokenName(path: string): string {
  const pattern = basename(path).replace(/\uFFFD+/g, '*');
  return `A name there has bytes that are not UTF-8, shown as \uFFFD, so only bash can open it: rename it first, for example with mv -- ${pattern} new-name.`;
}
