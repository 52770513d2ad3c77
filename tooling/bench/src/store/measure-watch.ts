import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { createStore } from '@haft/store';

const program = fileURLToPath(new URL('watch-writer-process.ts', import.meta.url));

/**
 * How long after another process began to write a document a watcher hears of it, in milliseconds, shortest first:
 * the write itself is part of it. Both processes are on this machine, so they have one clock.
 */
export async function measureWatch(url: string, count: number): Promise<readonly number[]> {
  const store = await createStore({ url });
  const delays: number[] = [];
  const heardAll = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`only ${delays.length} of ${count} writes were heard`)), 120_000);
    void store.collection('moments', Number).watch('', (change) => {
      if (!('key' in change)) return;
      delays.push(performance.timeOrigin + performance.now() - Number(change.key));
      if (delays.length < count) return;
      clearTimeout(late);
      resolve();
    });
  });
  const writer = spawn(process.execPath, ['--conditions=@haft/source', program, url, `${count}`], { stdio: 'inherit' });
  const [code] = (await once(writer, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the writer ended with ${String(code)}`);
  await heardAll;
  await store.close();
  return delays.toSorted((left, right) => left - right);
}
