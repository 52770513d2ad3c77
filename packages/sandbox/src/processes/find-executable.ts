import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { objectKind, checkIs, checkText } from '../check-given.ts';
import type { Environment } from './clean-environment.ts';

/**
 * Returns the path of the program that a command names: a path is resolved from `cwd`, a bare name on the `PATH` of
 * `environment`. Returns undefined if no executable is found. Relative entries of `PATH` are not searched.
 *
 * @throws TypeError if an argument has the wrong type.
 * @example
 * import { findExecutable } from '@haft/sandbox';
 * findExecutable('no-such-program', { PATH: '/usr/bin' }, process.cwd()); // => undefined
 */
export function findExecutable(command: string, environment: Environment, cwd: string): string | undefined {
  checkText('command', command, 'git');
  checkIs('environment', environment, objectKind);
  checkText('cwd', cwd, '/project');
  if (command === '' || command.includes('\0')) return undefined;
  if (/[/]/.test(command) || (process.platform === 'win32' && command.includes('\\')))
    return findWithExtension(resolve(cwd, command), environment);
  const path =
    Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '/usr/local/bin:/usr/bin:/bin';
  for (const directory of path.split(delimiter)) {
    const found = isAbsolute(directory) ? findWithExtension(join(directory, command), environment) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function findWithExtension(path: string, environment: Environment): string | undefined {
  const endings =
    process.platform === 'win32' ? ['', ...(environment['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  return endings.map((ending) => path + ending).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
