import {
  allowAll,
  createDispatcher,
  createWorkspace,
  ToolRegistry,
  type ToolResult,
  type ToolSource,
} from '@haft/core';
import { createConnection, type Connection } from '@haft/mcp';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cliArguments, cliEnvironment, runCli } from '../testing/run-cli.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const shout = [
  'console.log("noise while loading");',
  'export default { name: "shout", version: "1.0.0", tools: [{ name: "shout", description: "Shouts.", kind: "read",',
  'input: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },',
  'execute: ({ words }) => { console.log("noise while running"); return words.toUpperCase(); } }] };',
].join('\n');

interface Client {
  readonly connection: Connection;
  readonly source: ToolSource;
  /** Resolves at the next change of the server's tools. */
  readonly changed: () => Promise<void>;
}

async function connectTo(args: readonly string[], folder: string): Promise<Client> {
  const registry = new ToolRegistry();
  let resolveChanged = (): void => {};
  const connection = await createConnection({
    name: 'haft',
    command: process.execPath,
    args: [...cliArguments, 'serve', ...args],
    cwd: folder,
    // Its state stays outside the tester's home folder.
    env: { XDG_STATE_HOME: cliEnvironment()['XDG_STATE_HOME'] ?? '' },
    registry,
    onEvent: (event) => {
      if (event.type === 'tool-list-changed') resolveChanged();
    },
  });
  onTestFinished(() => connection.close());
  const source = createDispatcher({ registry, permission: allowAll, workspace: createWorkspace({ cwd: folder }) });
  return {
    connection,
    source,
    changed: () =>
      new Promise((resolve) => {
        resolveChanged = resolve;
      }),
  };
}

const call = (source: ToolSource, name: string, args: unknown): Promise<ToolResult> =>
  source.dispatch({ id: name, name, arguments: args });

describe('serve', () => {
  test('serves the built-in tools to an MCP client, in its folder', async () => {
    const folder = await createTemporaryFolder(onTestFinished, { 'a.txt': 'apple\n' });
    const { connection, source } = await connectTo(['--yes'], folder);
    expect(connection.tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(
        ['bash', 'bash_output', 'edit', 'glob', 'grep', 'ls', 'read', 'write'].map((name) => `haft_${name}`),
      ),
    );
    const listed = await call(source, 'haft_ls', {});
    expect(listed.ok && JSON.stringify(listed.content)).toContain('a.txt');
    expect((await call(source, 'haft_write', { path: 'b.txt', content: 'b' })).ok).toBe(true);
    expect((await call(source, 'haft_read', { path: '/etc/passwd' })).ok).toBe(false);
    expect((await call(source, 'haft_bash', { command: 'rm a.txt' })).ok).toBe(true);
    await connection.close();
    const undone = await runCli(['undo', '--yes'], { cwd: folder });
    expect([undone.code, undone.stdout]).toEqual([
      0,
      '  ✓ a.txt restored\n  haft undo --redo brings these changes back\n',
    ]);
    expect((await readdir(folder)).toSorted()).toEqual(['a.txt', 'b.txt']);
  });

  test.each([[[]], [['--read-only']]])(
    'serves only read-only tools unless --yes adds the others (%j)',
    async (args) => {
      const folder = await createTemporaryFolder(onTestFinished);
      const { connection } = await connectTo(args, folder);
      const names = connection.tools.map((tool) => tool.name);
      expect(names).toEqual(expect.arrayContaining(['haft_glob', 'haft_grep', 'haft_ls', 'haft_read']));
      // A web request could send out what was read.
      // Without bash, bash_output has nothing to read.
      for (const name of ['bash', 'bash_output', 'edit', 'write', 'web_fetch', 'search_docs', 'read_doc'])
        expect(names).not.toContain(`haft_${name}`);
    },
  );

  test('notifies clients of plugin changes, and keeps plugin output out of the protocol', async () => {
    const folder = await createTemporaryFolder(onTestFinished, { 'plugins/README.md': 'no plugin yet' });
    const { connection, source, changed } = await connectTo(['--plugins', 'plugins', '--trust-plugins'], folder);
    const names = (): readonly string[] => connection.tools.map((tool) => tool.name);
    expect(names()).not.toContain('haft_shout');

    let change = changed();
    await writeFile(join(folder, 'plugins', 'shout.mjs'), shout);
    await change;
    expect(names()).toContain('haft_shout');
    const answer = await call(source, 'haft_shout', { words: 'hello' });
    expect(answer.ok && JSON.stringify(answer.content)).toContain('HELLO');
    expect(connection.diagnostics).toEqual([]);

    change = changed();
    await rm(join(folder, 'plugins', 'shout.mjs'));
    await change;
    expect(names()).not.toContain('haft_shout');
  });

  test('ends when the client leaves', async () => {
    const folder = await createTemporaryFolder(onTestFinished);
    const child = spawn(process.execPath, [...cliArguments, 'serve'], { cwd: folder, env: cliEnvironment() });
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
    let stdout = '';
    child.stdout.on('data', (piece: Buffer) => {
      stdout += piece.toString();
      if (stdout.includes('\n')) child.stdin.end();
    });
    const [code] = (await once(child, 'close')) as [number];
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { readonly jsonrpc: string }).jsonrpc)).toEqual(
      lines.map(() => '2.0'),
    );
    expect(JSON.parse(lines[0]!)).toMatchObject({ id: 1, result: { serverInfo: { name: 'haft' } } });
    expect(code).toBe(0);
  });
});
