import { sep } from 'node:path';

/** Joins a folder and an entry name. Much faster than `join`, but the name must be a single name. */
export function joinName(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** Returns whether a path is the folder or below it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Returns the path segments from a folder to a path below it. */
export function namesBelow(path: string, folder: string): readonly string[] {
  return path
    .slice(folder.length)
    .split(sep)
    .filter((name) => name !== '');
}
