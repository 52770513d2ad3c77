import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBuiltins } from '@haft/builtins';
import { allowAll, createDispatcher, createWorkspace, renderForModel } from '@haft/core';

const cwd = await mkdtemp(join(tmpdir(), 'work-'));
await writeFile(join(cwd, 'notes.md'), '# Notes\r\n\r\n- tea\r\n');
await symlink('/etc', join(cwd, 'way-out'));
try {
  const source = createDispatcher({
    registry: createBuiltins(),
    workspace: createWorkspace({ cwd, permission: allowAll, jail: { policy: 'preferred' } }),
  });
  let calls = 0;
  const run = async (name: string, args: object): Promise<string> =>
    renderForModel(await source.dispatch({ id: `call_${(calls += 1)}`, name, arguments: args }));

  // A file that was not read is not overwritten; edits keep its line endings.
  assert.match(await run('write', { path: 'notes.md', content: 'gone' }), /NOT_READ/);
  await run('read', { path: 'notes.md' });
  await run('edit', { path: 'notes.md', old_text: '- tea', new_text: '- milk' });
  assert.equal(await readFile(join(cwd, 'notes.md'), 'utf8'), '# Notes\r\n\r\n- milk\r\n');
  assert.match(await run('grep', { pattern: 'milk' }), /notes\.md/);

  // No path or link leaves the folder.
  assert.match(await run('write', { path: '../x', content: '' }), /OUTSIDE_WRITE_ROOTS/);
  assert.match(await run('read', { path: 'way-out/passwd' }), /OUTSIDE_READ_ROOTS/);
  assert.match(await run('bash', { command: 'echo hello; exit 3' }), /hello[^]*3|3[^]*hello/);
} finally {
  await rm(cwd, { recursive: true });
}

console.log('Built-in tools: a file was edited with its line endings kept, and nothing left the folder.');
