import { spawn } from 'node:child_process';

import type { PackageManager } from './package-manager.ts';

/** Runs `npm install` or its equal in the folder. Resolves to the reason of a failure, `undefined` after a success. */
export function installDependencies(folder: string, packageManager: PackageManager): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(packageManager, ['install'], {
      cwd: folder,
      stdio: 'inherit',
      // On Windows, package managers are `.cmd` files, which only a shell starts. All words are constants.
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
