import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../paths/real-path.ts';

/** The path of a program, or the reason why none was found. */
export type SystemProgram = { readonly file: string } | { readonly reason: string };

/**
 * Finds a program that runs outside the jail. Jailed commands must not be able to replace it, so programs in writable
 * directories, in the working directory and in `node_modules` are skipped; npm scripts put such directories first.
 * Relative directories are not searched.
 */
export function findProgramOutsideJail(name: string, writable: readonly string[]): SystemProgram {
  const open = [...writable, process.cwd()].map(tryRealPath).filter((directory) => directory !== dirname(directory));
  const isReplaceable = (file: string): boolean =>
    /[\\/]node_modules[\\/]/.test(file) || open.some((directory) => isInside(directory, file));
  let rejectedFile: string | undefined;
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(directory, name);
    if (!isAbsolute(directory) || !existsSync(file)) continue;
    // Checks the path and its target, because a command could change either.
    if (![file, join(tryRealPath(directory), name), tryRealPath(file)].some(isReplaceable)) return { file };
    rejectedFile ??= file;
  }
  return {
    reason:
      rejectedFile === undefined
        ? `${name} is not installed`
        : `${name} is not installed, except as ${rejectedFile}, which a jailed command could replace`,
  };
}

function tryRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
