import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Creates a folder with files, which is removed when the test has finished. */
export function createTemporaryFolder(
  onFinished: (remove: () => void) => void,
  files: Readonly<Record<string, string>> = {},
): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'create-haft-')));
  onFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
