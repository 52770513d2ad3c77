import { createStore } from '@haft/store';
import { startModule } from '@haft-tooling/measure';

/**
 * Delays in milliseconds between the start of a write by another process and the notification of a watcher. They
 * include the write itself. Both processes run on this machine, so they share one clock.
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
  await using writer = startModule(new URL('watch-writer-process.ts', import.meta.url), [url, `${count}`]);
  await writer.line(/^written$/);
  await seenAll;
  await store.close();
  return delays;
}
