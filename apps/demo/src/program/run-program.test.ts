import { builtinNames } from '@haft/builtins';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cliArguments, cliEnvironment, runCli } from '../testing/run-cli.ts';
import { runHere } from '../testing/run-here.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

describe('the program', () => {
  test('prints its help and its version without loading any package', async () => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, from, next) => { if (/^@haft|^[a-z]+$/.test(name)) console.log('loads ' + name); return next(name, from); } });`;
    const help = await runCli(['--help'], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    });
    expect(help.stdout).not.toContain('loads ');
    for (const name of ['tour', 'dispatch [FILE|-]', 'chat', 'tools', 'serve', 'ui'])
      expect(help.stdout).toContain(`  ${name}`);
    expect(help).toMatchObject({ stderr: '', code: 0 });
    expect(await runCli(['--version'])).toEqual({
      stdout: expect.stringMatching(/^haft \d+\.\d+\.\d+\n$/),
      stderr: '',
      code: 0,
    });
  });

  test.each(['tour', 'dispatch', 'chat', 'tools', 'serve', 'ui'])('prints the help of %s', async (name) => {
    const help = await runHere([name, '--help']);
    expect(help.stdout).toMatch(new RegExp(`^haft ${name}: .+\\n\\nUsage: haft ${name}`));
    expect(help.stdout).toContain('--cwd DIR');
    expect(help).toMatchObject({ stderr: '', code: 0 });
  });

  test.each([
    [['frobnicate'], 'unknown command "frobnicate"'],
    [['--frobnicate'], 'tour has no option --frobnicate'],
    [['tools', '--jso'], 'did you mean --json?'],
    [['tools', 'extra'], '"extra" is too many'],
    [['tools', '--cwd', '/no/such/folder'], 'no such folder'],
    [['tools', '--plugins', 'nowhere'], '--plugins nowhere'],
    [['tools', '--mcp', 'nowhere.json'], '--mcp nowhere.json'],
    [['tools', '--mcp', 'no-such-program-of-ours --now'], '--mcp: '],
    [['dispatch', 'no-such-file.txt'], 'no-such-file.txt'],
    [['dispatch', '.'], 'is a folder'],
    [['dispatch', '-', '--yes', '--read-only'], 'exclude each other'],
    [['dispatch', '-', '--stopped', 'maybe'], 'expected stop or length'],
    [['ui', '--port', '70000'], 'from 0 to 65535'],
    [['ui', '--port', 'x'], 'from 0 to 65535'],
    [['chat', 'task'], 'chat needs --base-url'],
    [['chat', 'task', '--base-url', 'http://localhost:2/v1'], 'needs --model'],
    [['chat', 'task', '--base-url', 'nonsense', '--model', 'm'], 'not a URL'],
  ] as const)('answers %j with one line and exit code 2', async (args, expected) => {
    const folder = await createTemporaryFolder(onTestFinished);
    const result = await runHere(args, { cwd: folder });
    expect(result.stderr).toContain(expected);
    expect(result.stderr).toMatch(/^haft: [^\n]+\n$/);
    expect(result.stdout).toBe('');
    expect(result.code).toBe(2);
  });

  test('lists the tools as JSON and as a table', async () => {
    const json = await runHere(['tools', '--json']);
    const rows = JSON.parse(json.stdout) as readonly Readonly<Record<string, unknown>>[];
    // The environment configures web search.
    const names = builtinNames.filter((name) => name !== 'web_search').toSorted();
    expect(rows.map((row) => row['name'])).toEqual(names);
    expect(rows[names.indexOf('read')]).toEqual({
      name: 'read',
      kind: 'read',
      provider: 'builtin',
      available: true,
      description: expect.stringMatching(/^[A-Z].*\.$/),
    });
    const table = await runHere(['tools']);
    expect(table.stdout).toMatch(/^name +kind +from +usable +for\n/);
    expect(table.stdout).not.toContain('\u001b');
    expect([json.code, table.code, json.stderr, table.stderr]).toEqual([0, 0, '', '']);
  });

  test('runs on the oldest supported Node', { timeout: 60_000 }, async () => {
    const folder = await createTemporaryFolder(onTestFinished, { 'plugins/notes.txt': 'no plugin' });
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
    const lacks = ['AsyncDisposableStack', 'DisposableStack', 'SuppressedError', 'URLPattern', 'Float16Array'];
    const source = encodeURIComponent(lacks.map((name) => `delete globalThis.${name};`).join(''));
    const server = `'${process.execPath}' '${entry}' stdio`;
    const result = await runCli(['tools', '--json', '--plugins', 'plugins', '--mcp', server], {
      cwd: folder,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${source}` },
    });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const table = await runCli(['tools', '--mcp', server], { cwd: folder });
    expect(table.stdout).toMatch(/^mcp-servers-everything_echo +other +mcp mcp-servers-everything +yes +Echoes/m);
    expect(result.stdout).toContain('"mcp-servers-everything_echo"');
  });

  test(
    'haft tools starts the MCP servers of a file without a terminal if --yes is given',
    { timeout: 60_000 },
    async () => {
      const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
      const folder = await createTemporaryFolder(onTestFinished, {
        'mcp.json': JSON.stringify({ mcpServers: { near: { command: process.execPath, args: [entry, 'stdio'] } } }),
      });
      const refused = await runHere(['tools', '--mcp', 'mcp.json'], { cwd: folder });
      expect(refused.stderr).toContain('the user has to approve its command first');
      expect(refused.stderr).toContain('; --yes starts it without asking');
      expect(refused.stdout).not.toContain('near_echo');
      const allowed = await runHere(['tools', '--mcp', 'mcp.json', '--yes'], { cwd: folder });
      expect({ code: allowed.code, stderr: allowed.stderr }).toEqual({ code: 0, stderr: '' });
      expect(allowed.stdout).toMatch(/^near_echo /m);
    },
  );

  test('shows colours on request', async () => {
    expect((await runHere(['tools'], { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[1m');
  });

  test('continues silently after its output is closed', async () => {
    const child = spawn(process.execPath, [...cliArguments, 'tools', '--json'], { env: cliEnvironment() });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (piece: Buffer) => {
      stderr += piece.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
