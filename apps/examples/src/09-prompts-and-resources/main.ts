import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedModel } from '@haft/runner/testing';
import { createToolkit, data, unwrap, text } from '@haft/toolkit';

const directory = await mkdtemp(join(tmpdir(), 'prompts-'));
const store = `file:${join(directory, 'haft.db')}`;
const model = scriptedModel([
  { calls: [{ name: 'submit_output', arguments: '{"points": "tea"}' }] }, // one item instead of a list
]);

// The user's prompts and resources are stored, and available in the next run.
const before = await createToolkit({ builtins: false, store });
await before.user.setPrompt(`---
name: summarize
input: {type: string}
output: {type: object, properties: {points: {type: array, items: {type: string}}}, required: [points]}
---
Key points of:

{{ . | trim }}
`);
await before.user.setResource(data('book.txt', Buffer.from('\uFEFFAll about tea.', 'utf16le')));
await before.dispose();

const toolkit = await createToolkit({ builtins: false, store, model });
const { prompts, resources } = await toolkit.list({ namespace: 'user' });
assert.deepEqual([prompts[0]?.key, resources[0]?.name], ['user.summarize', 'book.txt']);

// The first resource gives the variables, the others are attached; the answer is a resource.
const book = await unwrap(toolkit.call('data:book.txt#user'));
assert.equal(await book.read(), 'All about tea.'); // UTF-16 became UTF-8
const answer = await toolkit.call('summarize', book, text('note', 'In one word.'));
assert.ok(answer.ok);
assert.equal(await answer.read(), '{"points":["tea"]}');
assert.match(JSON.stringify(model.requests[0]?.messages), /All about tea\.[^]*In one word\./);

await toolkit.dispose();
await rm(directory, { recursive: true });

console.log('Prompts and resources: stored over a restart, run as an agent, answered in the requested shape.');
