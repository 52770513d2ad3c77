import { spawn } from 'node:child_process';

import type { PackageManager } from './package-manager.ts';

/** Enough of the end of the package manager's output to contain its error, in UTF-16 units. */
const maxTail = 20_000;

/** The reason if the registry does not have a package of Haft. Installing again would fail, too. */
export const notPublished = 'the packages of Haft are not published on npm yet';

/**
 * Runs `npm install` or the package manager's equivalent in the folder. Resolves to the reason of a failure, such as
 * {@link notPublished}, or to undefined.
 */
export function installDependencies(folder: string, packageManager: PackageManager): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(packageManager, ['install'], {
      cwd: folder,
      stdio: ['inherit', 'inherit', 'pipe'],
      // On Windows, package managers are `.cmd` files, which need a shell. All arguments are constants, so this is
      // safe.
      shell: process.platform === 'win32',
      env: { ...process.env, npm_config_user_agent: undefined },
    });
    let tail = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text);
      tail = (tail + text).slice(-maxTail);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? `${packageManager} is not installed` : error.message);
    });
    child.once('close', (code, signal) => {
      if (code !== 0 && /\b(?:E|FETCH_)?404\b/.test(tail) && /@haft(?:\/|%2f)/i.test(tail))
        return resolve(notPublished);
      resolve(code === 0 ? undefined : `${packageManager} install ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}
