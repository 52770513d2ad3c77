import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { createStore } from '@haft/store';

const program = fileURLToPath(new URL('watch-writer-process.ts', import.meta.url));

/**
 * Delays in milliseconds between the start of a write by another process and the notification of a watcher, shortest
 * first. They include the write itself. Both processes run on this machine, so they share one clock.
 */
export async function measureWatch(url: string, count: number): Promise<readonly number[]> {
  const store = await createStore({ url });
  const delays: number[] = [];
  const seenAll = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`only ${delays.length} of ${count} writes were reported`)), 120_000);
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
  await seenAll;
  await store.close();
  return delays.toSorted((left, right) => left - right);
}
