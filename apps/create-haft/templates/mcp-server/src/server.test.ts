import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { allowAll, createDispatcher, renderForModel, ToolRegistry } from '@haft/core';
import { createConnection } from '@haft/mcp';
import { createSource } from './create-source.ts';

async function createFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notes-'));
  test.after(() => rm(folder, { recursive: true }));
  return folder;
}

describe('the tools', () => {
  it('write a note once, and find it', async (test) => {
    const folder = await createFolder(test);
    const source = createSource(folder);
    let calls = 0;
    const call = async (name: string, given: unknown): Promise<string> =>
      renderForModel(await source.dispatch({ id: `call_${(calls += 1)}`, name, arguments: given }));

    assert.equal(await call('add_note', { name: 'tea', text: 'Boil water.' }), 'Wrote tea.md.');
    assert.equal(await readFile(join(folder, 'tea.md'), 'utf8'), 'Boil water.\n');
    assert.match(await call('add_note', { name: 'tea', text: 'Again.' }), /NOTE_EXISTS/);
    assert.equal(await call('search_notes', { text: 'WATER' }), 'tea.md: Boil water.');
    assert.match(await call('search_notes', { text: 'coffee' }), /No note contains/);
  });

  it('reject a name that would leave the folder', async (test) => {
    const source = createSource(await createFolder(test));
    const result = await source.dispatch({ id: 'call_1', name: 'add_note', arguments: { name: '../x', text: 'a' } });
    assert.equal(result.ok || result.error.code, 'INVALID_ARGS');
  });
});

describe('the server', () => {
  it('offers the tools to a client that starts it', async (test) => {
    const registry = new ToolRegistry();
    const connection = await createConnection({
      name: 'notes',
      command: process.execPath,
      args: [
        ...process.execArgv.filter((each) => each.startsWith('--conditions')),
        join(import.meta.dirname, 'main.ts'),
      ],
      cwd: await createFolder(test),
      registry,
    });
    test.after(() => connection.close());
    for (const name of ['notes_add_note', 'notes_search_notes']) assert.ok(registry.has(name), `${name} is missing`);
    const source = createDispatcher({ registry, permission: allowAll });
    const result = await source.dispatch({ id: 'call_1', name: 'notes_search_notes', arguments: { text: 'tea' } });
    assert.match(renderForModel(result), /No note contains "tea"/);
  });
});
