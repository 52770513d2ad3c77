import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run of the tests one temporary folder, and removes it at the end, with whatever a test or an example left in it.
 * The name is short, since a path of a socket may have 103 characters on some systems.
 */
export default function createTemporaryFolder() {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'haft-'));
  // Programs that a test starts as another user may use it, as they may use the folder it is in.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
