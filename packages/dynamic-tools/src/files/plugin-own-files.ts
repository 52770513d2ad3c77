import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { readConfinedFile } from '@haft/sandbox';

/** Reads the source of a module. Resolves to `undefined` if the file does not belong to the plugin or is too large. */
export type ReadSource = (file: string) => Promise<string | undefined>;

const maxBytes = 1_000_000;

/**
 * Returns whether a path reported by a plugin's process belongs to the plugin. Checks only the path itself.
 *
 * @param own real paths of the plugin's files and folders.
 */
export function isOwnFile(file: unknown, own: readonly string[]): file is string {
  return typeof file === 'string' && placeOf(file, own) !== undefined;
}

/**
 * Creates a reader for files that a plugin's failure names. Because the plugin chose the name, only the plugin's own
 * regular files are opened, and no link may lead elsewhere.
 *
 * @param own real paths of the plugin's files and folders; `unrestricted` for code that runs in this program anyway.
 */
export function createSourceReader(own: readonly string[] | 'unrestricted'): ReadSource {
  return async (file) => {
    const place = own === 'unrestricted' ? undefined : placeOf(file, own);
    if (own !== 'unrestricted' && place === undefined) return undefined;
    const roots = place === undefined ? 'unrestricted' : [file === place ? dirname(place) : place];
    const read = await readConfinedFile(roots, file, { maxBytes, followLinks: roots === 'unrestricted' });
    return read.ok ? Buffer.from(read.bytes).toString('utf8') : undefined;
  };
}

/** Returns whether a path contains no `..`, so that its text determines its target. */
function placeOf(file: string, own: readonly string[]): string | undefined {
  if (!isAbsolute(file) || file.includes('\0') || resolve(file) !== file) return undefined;
  return own.find((place) => file === place || file.startsWith(`${place}${sep}`));
}
