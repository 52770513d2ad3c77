import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../paths/real-path.ts';

/** A program that was found, or why there is none. */
export type SystemProgram = { readonly file: string } | { readonly reason: string };

/**
 * Finds a program on the search path that runs outside of the jail it is for, and so must be nobody's who is kept in there: one in a
 * folder that may be written from there, in the working directory or in a `node_modules` is passed over, since scripts of npm put
 * such folders first. Relative folders are not searched.
 */
export function findSystemProgram(name: string, writable: readonly string[]): SystemProgram {
  const open = [...writable, process.cwd()].map(realIfThere).filter((folder) => folder !== dirname(folder));
  const isOpen = (file: string): boolean =>
    /[\\/]node_modules[\\/]/.test(file) || open.some((folder) => isInside(folder, file));
  let rejectedFile: string | undefined;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (!isAbsolute(folder) || !existsSync(file)) continue;
    // By its name and by where that leads: either may be changed.
    if (![file, join(realIfThere(folder), name), realIfThere(file)].some(isOpen)) return { file };
    rejectedFile ??= file;
  }
  return {
    reason:
      rejectedFile === undefined
        ? `there is no ${name}`
        : `there is no ${name} but ${rejectedFile}, which whoever is kept in could replace`,
  };
}

function realIfThere(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
