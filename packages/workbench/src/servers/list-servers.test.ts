import { expect, it } from 'vitest';
import { createSourceLinks } from '../sources/source-links.ts';
import { listServers } from './list-servers.ts';

it('shows a server that is not connected yet as starting, with the reason', async () => {
  const links = createSourceLinks({ editor: 'vscode://file/{path}', pluginDirectory: undefined });
  const reason = 'still starting: the first run of npx may download the server';
  const starting = { namespace: 'files', state: 'connecting', reason };
  const ready = { namespace: 'docs', state: 'ready' };
  expect(await listServers([starting, ready], [], new Map(), undefined, links)).toMatchObject([
    { name: 'files', state: 'starting', isReady: false, reason },
    { name: 'docs', state: 'ready', isReady: true },
  ]);
});
