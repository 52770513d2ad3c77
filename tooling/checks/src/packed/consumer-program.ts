/** A few lines that a stranger might write first. Compiled and run against the packed packages. */
export const consumerProgram: string = `import { createDispatcher, defineTool, renderForModel } from '@haft/core';
import { createStore } from '@haft/store';
import { z } from 'zod';

const add = defineTool({
  name: 'add', description: 'Adds two numbers.', kind: 'read', input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
});
const { dispatch } = createDispatcher({ registry: [add] });
const result = await dispatch({ id: 'call_1', name: 'add', arguments: "{a: 2, 'b': 3,}" });
if (renderForModel(result) !== '5') throw new Error(JSON.stringify(result));

// The embedded database comes with binaries of its own.
const store = await createStore({ url: 'file:sums.db' });
const sums = store.collection('sums', z.object({ text: z.string() }));
await sums.set('call_1', { text: renderForModel(result) });
if ((await sums.get('call_1'))?.value.text !== '5') throw new Error('the store has forgotten');
await store.close();
// The client of a server does not: whoever has one is told what to install.
const withoutClient = await createStore({ url: 'postgres://localhost/none' }).catch(String);
if (!String(withoutClient).includes('npm install pg')) throw new Error(String(withoutClient));
`;
