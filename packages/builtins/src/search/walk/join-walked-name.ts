import { sep } from 'node:path';

/** Joins a directory and the name of an entry. Much faster than `join`, because names need no normalization. */
export function joinName(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}
