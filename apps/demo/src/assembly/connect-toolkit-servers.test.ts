import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createToolkit } from '@haft/toolkit';
import { createServerLog } from '@haft/workbench';
import { expect, onTestFinished, test } from 'vitest';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { connectToolkitServers } from './connect-toolkit-servers.ts';
import { readGivenServers } from './read-server-file.ts';

test('servers of a file are listed before they are ready, under valid names, with disabled ones noted', async () => {
  const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const near = { command: process.execPath, args: [entry, 'stdio'] };
  const folder = await createTemporaryFolder(onTestFinished, {
    'mcp.json': JSON.stringify({ mcpServers: { 'My Server': near, Off: { ...near, disabled: true } } }),
  });
  const asked = Promise.withResolvers<string>();
  const answered = Promise.withResolvers<{ readonly action: 'allow' }>();
  const toolkit = await createToolkit({
    cwd: folder,
    ask({ title }) {
      asked.resolve(title);
      return answered.promise;
    },
  });
  onTestFinished(() => toolkit.dispose());
  const connected = new Promise<void>((resolve) => {
    toolkit.onEvent((event) => {
      if (event.type === 'state-change' && event.state === 'ready') resolve();
    });
  });
  const notes: string[] = [];
  const watched = connectToolkitServers({
    given: await readGivenServers('mcp.json', folder),
    toolkit,
    cwd: folder,
    log: createServerLog(),
    note: (message) => notes.push(message),
  });
  onTestFinished(() => watched.close());
  expect(notes).toEqual(['the MCP server Off is disabled: its entry says "disabled": true']);
  expect(await asked.promise).toContain(join('server-everything', 'dist', 'index.js'));
  expect(toolkit.connections()).toMatchObject([
    { namespace: 'my-server', state: 'connecting', reason: 'the user is asked to approve its command' },
  ]);
  answered.resolve({ action: 'allow' });
  await connected;
  expect(toolkit.registry.names).toContain('my-server_echo');
  expect(notes).toHaveLength(1);
});
