import { expect, it } from 'vitest';
import { createSourceLinks } from '../sources/source-links.ts';
import { listServers } from './list-servers.ts';
import { createServerRoutes } from './server-routes.ts';

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

it('approves only the command that the user has seen', async () => {
  const approved: string[] = [];
  const command = { line: 'npx -y a-server', cwd: undefined, env: [], hash: 'of-a-server' };
  const actions = {
    connections: () => [{ namespace: 'files', state: 'unapproved', approval: command }],
    approveCommand: async (namespace: string) => approved.push(namespace),
  };
  const routes = createServerRoutes(
    () => actions,
    async () => [],
    undefined,
    () => {},
  );
  const approve = routes.find(({ method, path }) => method === 'POST' && path === 'servers/*')!;
  const statusOf = async (body: Readonly<Record<string, unknown>>): Promise<number> =>
    (await approve.answer('files', body)).status;
  expect([await statusOf({}), await statusOf({ hash: 'of-another' }), approved]).toEqual([409, 409, []]);
  expect([await statusOf({ hash: 'of-a-server' }), approved]).toEqual([200, ['files']]);
});
