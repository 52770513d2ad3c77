import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { readConfinedFile } from '@haft/sandbox';

/** Reads the source of a module; `undefined` for what is no source of the plugin's, or too large for one. */
export type ReadSource = (file: string) => Promise<string | undefined>;

const maxBytes = 1_000_000;

/**
 * Tells whether what a plugin's process says is a file is one of the plugin's, by its name alone.
 *
 * @param own real paths of its files and folders.
 */
export function isOwnFile(file: unknown, own: readonly string[]): file is string {
  return typeof file === 'string' && placeOf(file, own) !== undefined;
}

/**
 * Reads files that a plugin's failure names: the plugin chose the name, so that only regular files among its own are opened,
 * through no link that leads elsewhere.
 *
 * @param own real paths of its files and folders; `unrestricted` for code that runs in this program anyway.
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

/** Only a path without `..` says where it leads. */
function placeOf(file: string, own: readonly string[]): string | undefined {
  if (!isAbsolute(file) || file.includes('\0') || resolve(file) !== file) return undefined;
  return own.find((place) => file === place || file.startsWith(`${place}${sep}`));
}
