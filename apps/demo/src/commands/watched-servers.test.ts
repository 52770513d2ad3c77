import { createConnection } from '@haft/mcp';
import { allowAll, createDispatcher, renderForModel, ToolRegistry } from '@haft/core';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLoopbackModelServer } from '../testing/loopback-model-server.ts';
import { hasPseudoTerminals, runAtTerminal } from '../testing/run-at-terminal.ts';
import { cliArguments, cliEnvironment } from '../testing/run-cli.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

/** A server with one tool, named after its argument. It leaves a file when it starts. */
const server = `
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tool = process.argv[2];
writeFileSync(new URL('started-' + tool, import.meta.url), '');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const answer = (more) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...more }) + '\\n');
  if (id === undefined) return;
  if (method === 'initialize')
    answer({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'near', version: '1' } } });
  else if (method === 'tools/list') answer({ result: { tools: [{ name: tool, inputSchema: { type: 'object' } }] } });
  else if (method === 'tools/call') answer({ result: { content: [{ type: 'text', text: 'this is ' + tool }] } });
  else answer({ error: { code: -32601, message: 'Method not found' } });
});
`;

/** Saves a configuration as editors do: a new file replaces the old one. */
function save(file: string, servers: Readonly<Record<string, string>>): void {
  const entries = Object.entries(servers).map(([name, tool]) => [
    name,
    { command: process.execPath, args: ['server.mjs', tool] },
  ]);
  writeFileSync(`${file}.new`, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  renameSync(`${file}.new`, file);
}

/** Starts `haft serve` with a server file, and connects to it. */
async function serveFile(file: string, cwd: string, registry: ToolRegistry, onListChanged = (): void => {}) {
  const connection = await createConnection({
    name: 'haft',
    command: process.execPath,
    args: [...cliArguments, 'serve', '--yes', '--mcp', file],
    cwd,
    env: { XDG_STATE_HOME: await createTemporaryFolder(onTestFinished) },
    registry,
    onEvent: ({ type }) => {
      if (type === 'tool-list-changed') onListChanged();
    },
  });
  onTestFinished(() => connection.close());
  return connection;
}

describe('a saved --mcp file', () => {
  test('connects, changes and removes the servers of a running haft serve', async () => {
    const settings = await createTemporaryFolder(onTestFinished, { 'server.mjs': server });
    const folder = await createTemporaryFolder(onTestFinished);
    const file = join(settings, 'mcp.json');
    save(file, { one: 'alpha' });
    const registry = new ToolRegistry();
    let onListChanged = (): void => {};
    const connection = await serveFile(file, folder, registry, () => onListChanged());
    const remote = (): readonly string[] =>
      connection.tools.map(({ name }) => name).filter((name) => /_(?:one|two)_/.test(name));
    const become = (names: readonly string[]): Promise<void> =>
      new Promise((resolve) => {
        onListChanged = () => {
          if (remote().toSorted().join() === names.join()) resolve();
        };
        onListChanged();
      });
    await become(['haft_one_alpha']);

    save(file, { one: 'alpha', two: 'beta' });
    await become(['haft_one_alpha', 'haft_two_beta']);
    save(file, { one: 'gamma', two: 'beta' });
    await become(['haft_one_gamma', 'haft_two_beta']);
    save(file, { one: 'gamma' });
    await become(['haft_one_gamma']);
  });

  test.skipIf(process.platform === 'win32')(
    'does not hold up a client of haft serve while a server starts, and lists the server',
    async () => {
      const settings = await createTemporaryFolder(onTestFinished, {
        'server.mjs': server,
        npx: '#!/bin/sh\nexec sleep 60\n',
      });
      const folder = await createTemporaryFolder(onTestFinished);
      const file = join(settings, 'mcp.json');
      const slow = join(settings, 'npx');
      chmodSync(slow, 0o755);
      const near = { command: process.execPath, args: ['server.mjs', 'alpha'] };
      writeFileSync(file, JSON.stringify({ mcpServers: { near, slow: { command: slow } } }));
      const registry = new ToolRegistry();
      const connection = await serveFile(file, folder, registry);
      await expect
        .poll(() => connection.stderr())
        .toContain('slow is still starting: the first run of npx may download the server');
      expect(connection.stderr()).toContain('haft: starting MCP servers: near, slow');
      const dispatcher = createDispatcher({ registry, permission: allowAll });
      const list = async (): Promise<string> =>
        renderForModel(await dispatcher.dispatch({ id: '1', name: 'haft_mcp_list', arguments: {} }));
      await expect.poll(list).toContain('near: near_alpha');
      expect(await list()).toContain('slow: connecting: still starting: the first run of npx may download the server');
    },
  );

  test('starts no new command without approval if calls could have written it', async () => {
    const folder = await createTemporaryFolder(onTestFinished, { 'server.mjs': server });
    const file = join(folder, 'mcp.json');
    save(file, { one: 'alpha' });
    const env = cliEnvironment({ XDG_STATE_HOME: await createTemporaryFolder(onTestFinished) });
    const child = spawn(process.execPath, [...cliArguments, 'serve', '--yes', '--mcp', file], { cwd: folder, env });
    const ended = new Promise((resolve) => child.once('close', resolve));
    let output = '';
    const seen = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (output.includes(text)) resolve();
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
        look();
      });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
    await seen('"serverInfo"');
    await expect.poll(() => existsSync(join(folder, 'started-alpha'))).toBe(true);

    save(file, { one: 'alpha', two: 'beta' });
    await seen('the MCP server two is not used');
    await seen('MCP servers of mcp.json: added two');
    expect(output).toContain('restarting haft with --yes starts it without asking');
    child.stdin.end();
    await ended;
    expect(existsSync(join(folder, 'started-beta'))).toBe(false);
  });

  test.skipIf(!hasPseudoTerminals)('asks the user of a running haft chat, after the line being typed', async () => {
    const folder = await createTemporaryFolder(onTestFinished, { 'server.mjs': server });
    const file = join(folder, 'mcp.json');
    save(file, {});
    const model = await startLoopbackModelServer([
      { calls: [{ name: 'two_beta', arguments: '{}' }] },
      { text: 'It is there.' },
    ]);
    onTestFinished(() => model.close());
    const run = await runAtTerminal(['chat', '--base-url', model.baseUrl, '--model', 'tiny', '--mcp', 'mcp.json'], {
      cwd: folder,
      typed: [
        { cue: 'you', text: '', act: () => save(file, { two: 'beta' }) },
        { cue: 'needs your approval', text: '\n' },
        { cue: 'approve?', text: 'y\n' },
        { cue: 'added two', text: 'use it\n' },
        { cue: 'allow?', text: 'y\n' },
        { cue: 'there.', text: '' },
        { cue: 'you', text: '\u0004' },
      ],
    });
    expect(run.screen).toContain('start the MCP server two with your rights');
    const messages = model.requests[1]!['messages'] as readonly { readonly role: string; readonly content: string }[];
    expect(messages.find(({ role }) => role === 'tool')!.content).toContain('this is beta');
    expect(run.code).toBe(0);
  });
});
