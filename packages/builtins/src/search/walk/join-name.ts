import { sep } from 'node:path';

/** The path of an entry of a folder; much cheaper than `join`, for names that are known to be names. */
export function joinName(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}
