/** Starts the server as an MCP client does, and calls its tools. Usage: node src/try.ts */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowAll, createDispatcher, renderForModel, ToolRegistry } from '@haft/core';
import { createConnection } from '@haft/mcp';

const folder = await mkdtemp(join(tmpdir(), 'notes-'));
const registry = new ToolRegistry();
const connection = await createConnection({
  name: 'notes',
  command: process.execPath,
  args: [...process.execArgv, join(import.meta.dirname, 'main.ts'), folder],
  registry,
});
try {
  const source = createDispatcher({ registry, permission: allowAll });
  for (const [index, [name, given]] of [
    ['notes_add_note', { name: 'pancakes', text: '# Pancakes\n\nFlour, milk, eggs.' }],
    ['notes_search_notes', { text: 'eggs' }],
    ['notes_search_notes', {}],
  ].entries() as IterableIterator<[number, [string, object]]>) {
    const result = await source.dispatch({ id: `call_${index}`, name, arguments: given });
    console.log(`${result.ok ? '✓' : '✗'} ${name} ${JSON.stringify(given)}\n${renderForModel(result)}\n`);
  }
} finally {
  await connection.close();
  await rm(folder, { recursive: true });
}
