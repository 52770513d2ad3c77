/** Writes documents whose keys say when, one after the other with pauses: the URL and the number in the arguments. */
import { setTimeout as delay } from 'node:timers/promises';

import { createStore } from '@haft/store';

const [url = '', count = '0'] = process.argv.slice(2);
const store = await createStore({ url });
const moments = store.collection('moments', Number);
for (let index = 0; index < Number(count); index += 1) {
  // Uneven, so that no rhythm of the watcher is met or missed by design.
  await delay(20 + ((index * 37) % 40));
  await moments.set(`${performance.timeOrigin + performance.now()}`, index);
}
await store.close();
