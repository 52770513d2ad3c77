/** Replaces `root/d` with a link and back, as fast as possible, until the first number of the state is not 0. */
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

const { root, outside, state } = workerData as { root: string; outside: string; state: Int32Array };
const [real, hidden] = [join(root, 'd'), join(root, 'hidden')];
while (Atomics.load(state, 0) === 0) {
  renameSync(real, hidden);
  try {
    symlinkSync(outside, real);
    Atomics.add(state, 1, 1);
  } catch {
    // A writer has created the folder again in the meantime.
  }
  for (let isBack = false; !isBack;) {
    try {
      rmSync(real, { recursive: true, force: true });
      renameSync(hidden, real);
      isBack = true;
    } catch {
      // A writer put a file into it in the meantime.
    }
  }
}
