import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of a program on the search path, or `undefined`. On Windows, programs have an ending of `PATHEXT`. */
export function findProgram(
  name: string,
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const endings = platform === 'win32' ? ['', ...(environment['PATHEXT'] ?? '.EXE;.CMD').split(';')] : [''];
  for (const folder of (environment['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    for (const ending of endings) {
      const path = join(folder, `${name}${ending}`);
      try {
        accessSync(path, platform === 'win32' ? constants.F_OK : constants.X_OK);
        return path;
      } catch {
        // It may be in the next folder.
      }
    }
  }
  return undefined;
}
