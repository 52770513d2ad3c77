import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cliArguments, cliEnvironment } from '../testing/run-cli.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const shout = [
  'export default { name: "shout", version: "1.0.0", tools: [{ name: "shout", description: "Shouts.", kind: "read",',
  'input: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },',
  'execute: ({ words }) => words.toUpperCase() }] };',
].join('\n');

/** How a client starts `haft serve --plugins plugins` in a new folder. */
async function makeServer(plugins: Readonly<Record<string, string>>) {
  const files = Object.fromEntries(Object.entries(plugins).map(([name, text]) => [join('plugins', name), text]));
  const cwd = await createTemporaryFolder(onTestFinished, { 'plugins/README.md': 'plugins', ...files });
  const env = cliEnvironment() as Record<string, string>;
  const args = [...cliArguments, 'serve', '--plugins', 'plugins', '--trust-plugins'];
  return { command: process.execPath, args, cwd, env, stderr: 'ignore' as const };
}

/** The operations of a client of one SDK generation. */
interface Peer {
  readonly names: () => Promise<readonly string[]>;
  readonly shout: (words: string) => Promise<unknown>;
  /** Resolves when the server has announced other tools. */
  readonly changed: Promise<void>;
}

type Server = Awaited<ReturnType<typeof makeServer>>;

async function connectNewer(server: Server): Promise<Peer> {
  let resolveChanged = (): void => undefined;
  const changed = new Promise<void>((resolve) => (resolveChanged = resolve));
  const client = new Client(
    { name: 'newer', version: '1' },
    { versionNegotiation: { mode: 'auto' }, listChanged: { tools: { onChanged: () => resolveChanged() } } },
  );
  await client.connect(new StdioClientTransport(server));
  onTestFinished(() => client.close());
  expect(client.getProtocolEra()).toBe('modern');
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    shout: async (words) => (await client.callTool({ name: 'shout', arguments: { words } })).content,
    changed,
  };
}

async function connectOlder(server: Server): Promise<Peer> {
  const client = new OlderClient({ name: 'older', version: '1' });
  const changed = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  await client.connect(new OlderTransport(server));
  onTestFinished(() => client.close());
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    shout: async (words) => (await client.callTool({ name: 'shout', arguments: { words } }))['content'],
    changed,
  };
}

describe('plugins that are served to a client', () => {
  test.each([
    ['the newer SDK', connectNewer],
    ['the older SDK', connectOlder],
  ])('appear in a connected client of %s', async (_which, connect) => {
    const server = await makeServer({});
    const { names, shout: call, changed } = await connect(server);
    expect(await names()).not.toContain('shout');
    await writeFile(join(server.cwd, 'plugins', 'shout.mjs'), shout);
    await changed;
    expect(await names()).toContain('shout');
    expect(await call('hello')).toEqual([{ type: 'text', text: 'HELLO' }]);
  });

  test("can be called from the official inspector's command line", async () => {
    const { command, args, cwd, env } = await makeServer({ 'shout.mjs': shout });
    const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
    const inspector = join(dirname(manifest), bin['mcp-inspector'] ?? '');
    const ask = [
      '--method',
      'tools/call',
      '--tool-name',
      'shout',
      '--tool-arg',
      'words=hello',
      '--connect-timeout',
      '60000',
    ];
    const { stdout } = await promisify(execFile)(command, [inspector, '--cli', command, ...args, ...ask], { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: 'HELLO' }] });
  });
});
