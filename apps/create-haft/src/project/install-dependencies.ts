import { spawn } from 'node:child_process';

import type { PackageManager } from './package-manager.ts';

/**
 * Runs `npm install` or the package manager's equivalent in the folder. Resolves to the reason of a failure, or to
 * undefined.
 */
export function installDependencies(folder: string, packageManager: PackageManager): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(packageManager, ['install'], {
      cwd: folder,
      stdio: 'inherit',
      // On Windows, package managers are `.cmd` files, which need a shell. All arguments are constants, so this is
      // safe.
      shell: process.platform === 'win32',
      env: { ...process.env, npm_config_user_agent: undefined },
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? `${packageManager} is not installed` : error.message);
    });
    child.once('close', (code, signal) => {
      resolve(code === 0 ? undefined : `${packageManager} install ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}
