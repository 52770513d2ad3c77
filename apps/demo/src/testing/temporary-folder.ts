import { mkdtemp, realpath, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Registers an action for the end of the test, such as Vitest's `onTestFinished`. */
export type Cleanup = (end: () => Promise<void>) => void;

/** Creates a folder with these files for one test, and returns its path. */
export async function createTemporaryFolder(
  cleanup: Cleanup,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'haft-demo-test-')));
  cleanup(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return path;
}
