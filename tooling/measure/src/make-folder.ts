import { mkdtempDisposableSync, realpathSync, type DisposableTempDir } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder, with its real path. `using folder = makeFolder()` removes it at the end of the block. */
export function makeFolder(parent: string = tmpdir()): DisposableTempDir {
  return mkdtempDisposableSync(join(realpathSync(parent), 'haft-bench-'));
}
