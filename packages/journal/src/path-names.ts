import { sep } from 'node:path';

/** The path of an entry of a folder; much cheaper than `join`, for names that are known to be names. */
export function joinName(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** Whether a path is a folder's own or lies below it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The names that lead from a folder to what lies below it. */
export function namesBelow(path: string, folder: string): readonly string[] {
  return path
    .slice(folder.length)
    .split(sep)
    .filter((name) => name !== '');
}
