import { basename } from 'node:path';

/**
 * Returns whether a name in the path contains bytes that are not valid UTF-8. Each such byte is shown as `\uFFFD`, so
 * no string can name the file.
 */
export function hasBrokenName(path: string): boolean {
  return path.includes('\uFFFD');
}

/** The hint for a file with such a name. */
export function hintForBrokenName(path: string): string {
  const pattern = basename(path).replace(/\uFFFD+/g, '*');
  return `A name there is not valid UTF-8, shown as \uFFFD, so only bash can open it: rename it first, for example with mv -- ${pattern} new-name.`;
}
