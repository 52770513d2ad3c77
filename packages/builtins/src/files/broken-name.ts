import { basename } from 'node:path';

/** Whether a path has a name with bytes that are no UTF-8, which no text can name: each is shown as `\uFFFD`. */
export function hasBrokenName(path: string): boolean {
  return path.includes('\uFFFD');
}

/** How to get at such a file all the same. */
export function hintForBrokenName(path: string): string {
  const pattern = basename(path).replace(/\uFFFD+/g, '*');
  return `A name there has bytes that are no UTF-8, shown as \uFFFD, so no tool but bash can open it: give it another name first, for example with mv -- ${pattern} new-name.`;
}
