import assert from 'node:assert/strict';
import { allowAll, createDispatcher, defineTool, type ToolEvent } from '@haft/core';
import { z } from 'zod';

const documents = new Map([
  ['a', 'tea'],
  ['b', 'milk'],
]);
const running: string[] = [];
let most = 0;
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const during = async <Value>(what: string, work: () => Value): Promise<Value> => {
  running.push(what);
  most = Math.max(most, running.length);
  assert.ok(what.startsWith('read') || running.every((other) => other === what || !other.endsWith(what.slice(-1))));
  await pause();
  const value = work();
  running.splice(running.indexOf(what), 1);
  return value;
};
const input = z.object({ key: z.string() });
const read = defineTool({
  name: 'read_document',
  description: 'Reads a document.',
  kind: 'read',
  input,
  footprint: ({ key }) => ({ reads: [`doc:${key}`], writes: [] }),
  execute: ({ key }) => during(`read ${key}`, () => documents.get(key) ?? ''),
});
const shout = defineTool({
  name: 'shout',
  description: 'Converts a document to capitals.',
  input,
  footprint: ({ key }) => ({ reads: [`doc:${key}`], writes: [`doc:${key}`] }),
  execute: ({ key }) => during(`shout ${key}`, () => void documents.set(key, (documents.get(key) ?? '').toUpperCase())),
});

const events: ToolEvent[] = [];
const source = createDispatcher({
  registry: [read, shout],
  permission: allowAll,
  observer: (event) => void events.push(event),
});
const calls = [
  ['read_document', 'a'],
  ['shout', 'a'],
  ['read_document', 'a'],
  ['read_document', 'b'],
].map(([name = '', key], index) => ({ id: `call_${index}`, name, arguments: { key } }));
const results = await source.dispatchBatch(calls);

// Independent calls overlap; the two that conflict run in order; results are in call order.
assert.deepEqual(
  results.map(({ content }) => (content[0]?.type === 'text' ? content[0].text : '')),
  ['tea', '', 'TEA', 'milk'],
);
assert.ok(most > 1);
for (const { id } of calls) {
  const actions = events.filter(({ data }) => data.callId === id).map(({ action }) => action);
  assert.deepEqual(actions, ['execute_start', 'execute_end']);
}

console.log(`Many calls: ${most} ran at once, conflicting calls kept their order, each had one start and one end.`);
