import { join, sep } from 'node:path';

/** Joins a directory, already normalised, and the name of an entry in it, without reading the whole path again. */
export function appendName(directory: string, name: string): string {
  if (sep === '\\') return join(directory, name);
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}
