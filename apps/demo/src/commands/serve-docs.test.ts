import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cliArguments, cliEnvironment } from '../testing/run-cli.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;

/** Connects the client of the official SDK to `haft serve` in a folder with one file. */
async function connect(...args: readonly string[]): Promise<Client> {
  const cwd = await createTemporaryFolder(onTestFinished, { 'secret.txt': 'mine', 'plugins/README.md': 'plugins' });
  const client = new Client({ name: 'reader', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...cliArguments, 'serve', ...args],
      cwd,
      env: cliEnvironment() as Record<string, string>,
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

const namesOf = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).toSorted();
const textOf = async (client: Client, name: string, given: Record<string, unknown>): Promise<string> =>
  JSON.stringify((await client.callTool({ name, arguments: given })).content);

describe('serve --docs', () => {
  test('serves only the documentation, to the client of the official SDK', async () => {
    const client = await connect('--docs');
    expect(await namesOf(client)).toEqual(['read_doc', 'search_docs']);
    const { tools } = await client.listTools();
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([true, true]);
    expect(await textOf(client, 'search_docs', { query: 'repair broken JSON' })).toContain('packages/repair');
    expect(await textOf(client, 'read_doc', { page: 'packages/repair', section: 'Install' })).toContain(
      'npm install @haft/repair',
    );
  });

  // Without --docs, serve.test.ts shows that the tools are missing.
  test.each([
    [['--docs', '--yes'], ['read', 'write', 'search_docs'], []],
    [['--docs', '--plugins', 'plugins'], ['read', 'search_docs'], ['write']],
    // The same tools as with a plugin folder.
    ...(isLong ? [[['--docs', '--read-only'], ['read', 'search_docs'], ['write']]] : []),
  ])('serves it with the other tools on request: %j', async (args, expected, missing) => {
    const client = await connect(...args);
    const names = await namesOf(client);
    expect(names).toEqual(expect.arrayContaining(expected));
    for (const name of missing) expect(names).not.toContain(name);
    expect(await textOf(client, 'search_docs', { query: 'createToolkit' })).toContain('packages/toolkit');
    expect(await textOf(client, 'read', { path: 'secret.txt' })).toContain('mine');
  });
});
