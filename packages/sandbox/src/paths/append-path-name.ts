import { join, sep } from 'node:path';

/** Joins a normalized directory path and an entry name without parsing the path again. */
export function appendName(directory: string, name: string): string {
  if (sep === '\\') return join(directory, name);
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}
