import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDispatcher, createWorkspace, defineTool } from '@haft/core';
import { createJournal } from '@haft/journal';
import { serve } from '@haft/mcp';
import { scriptedModel } from '@haft/runner/testing';
import { createToolkit } from '@haft/toolkit';
import { z } from 'zod';

// A remote server.
const prices: Readonly<Record<string, number>> = { tea: 4, milk: 2 };
const price = defineTool({
  name: 'price',
  description: 'Returns the price of an item.',
  kind: 'read',
  input: z.object({ item: z.string() }),
  execute: ({ item }) => ({ price: prices[item] ?? 0 }),
});
const shop = serve(createDispatcher({ registry: [price] }), { name: 'shop', http: {} });
const { url = '' } = await shop.ready;

// A folder with a plugin, and a working folder.
const root = await mkdtemp(join(tmpdir(), 'agent-'));
const [cwd, plugins] = [join(root, 'work'), join(root, 'plugins')];
await Promise.all([mkdir(cwd), mkdir(plugins)]);
await writeFile(join(cwd, 'list.md'), '- tea\n');
await writeFile(
  join(plugins, 'sums.mjs'),
  `export default { name: 'sums', version: '1.0.0', tools: [{
    name: 'add_up', description: 'Adds numbers up.', kind: 'read',
    input: { type: 'object', properties: { numbers: { type: 'array', items: { type: 'number' } } }, required: ['numbers'] },
    execute: ({ numbers }) => String(numbers.reduce((sum, each) => sum + each, 0)),
  }] };`,
);

const model = scriptedModel([
  {
    calls: [
      { name: 'read', arguments: { path: 'list.md' } },
      { name: 'shop_price', arguments: { item: 'tea' } },
      { name: 'shop_price', arguments: { item: 'milk' } },
    ],
  },
  { calls: [{ name: 'add_up', arguments: "{numbers: ['4', 2]}" }] },
  {
    calls: [
      { name: 'edit', arguments: { path: 'list.md', old_text: '- tea', new_text: '- tea\n- milk\n\nSum: 6' } },
      { name: 'bash', arguments: { command: 'rm -rf ~' } },
    ],
  },
  { calls: [{ name: 'bash', arguments: { command: 'mkdir done && mv list.md done/' } }] },
  'Tea and milk cost 6. I was not allowed to tidy up.',
]);

// Records what calls really change, including commands, so that it can be undone.
const journal = await createJournal({ workspace: createWorkspace({ cwd }), directory: join(root, 'journal') });

const asked: string[] = [];
const toolkit = await createToolkit({
  cwd,
  model,
  plugins: { directory: plugins, isolation: 'inline' }, // by default in their own jailed processes
  connections: { shop: url },
  middleware: [journal.middleware],
  ask: ({ tool }) => {
    asked.push(tool);
    return { action: 'allow', scope: 'session' };
  },
});
const { stopReason, text, calls } = await toolkit.answer('What do tea and milk cost? Note it, and file the list.', {
  runId: 'shopping',
});

assert.equal(stopReason, 'finished');
assert.equal(text, 'Tea and milk cost 6. I was not allowed to tidy up.');
assert.deepEqual(
  calls.map(({ call, result }) => [call.name, result.ok || result.error.code]),
  [
    ['read', true],
    ['shop_price', true],
    ['shop_price', true],
    ['add_up', true],
    ['edit', true],
    ['bash', 'PERMISSION_DENIED'], // commands that destroy everything are refused without a question
    ['bash', true],
  ],
);
assert.deepEqual([...new Set(asked)].sort(), ['bash', 'edit', 'shop_price']);
assert.equal(await readFile(join(cwd, 'done', 'list.md'), 'utf8'), '- tea\n- milk\n\nSum: 6\n');

// The user changes their mind: the whole run is undone, including the command.
const undone = await journal.undo({ runId: 'shopping' });
assert.ok(undone.ok);
assert.deepEqual(await readdir(cwd), ['list.md']);
assert.equal(await readFile(join(cwd, 'list.md'), 'utf8'), '- tea\n');

await toolkit.dispose();
await journal.close();
await shop.close();
await rm(root, { recursive: true });

console.log(
  'A whole agent: built-in tools, a plugin, an MCP server, the user asked, a destructive command refused, and all of it undone.',
);
