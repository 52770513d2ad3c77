/** Puts a link in the place of `root/d` and the folder back, as fast as it can, until the first number of the state is not 0. */
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
    // A writer was quicker and made the folder anew.
  }
  for (let isBack = false; !isBack;) {
    try {
      rmSync(real, { recursive: true, force: true });
      renameSync(hidden, real);
      isBack = true;
    } catch {
      // A writer put something into it meanwhile.
    }
  }
}
