/**
 * Writes documents whose keys contain the time, one after the other with pauses. Arguments: URL, number of documents.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createStore } from '@haft/store';

const [url = '', count = '0'] = process.argv.slice(2);
const store = await createStore({ url });
const moments = store.collection('moments', Number);
for (let index = 0; index < Number(count); index += 1) {
  // Pauses of uneven length, so that writes are not in step with the interval of the watcher.
  await delay(20 + ((index * 37) % 40));
  await moments.set(`${performance.timeOrigin + performance.now()}`, index);
}
await store.close();
process.stdout.write('written\n');
