import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli, type CliResult } from '../testing/run-cli.ts';
import { runHere } from '../testing/run-here.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const files = { 'a.txt': 'first\nsecond\n', 'src/b.txt': 'b\n' };

interface JsonAnswer {
  readonly ok: boolean;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: unknown;
    readonly envelope: string;
    readonly result: {
      readonly ok: boolean;
      readonly content: readonly { readonly text?: string }[];
      readonly error?: { readonly code: string; readonly fault: string; readonly denial?: { readonly source: string } };
    };
  }[];
  readonly rejected: readonly { readonly reason: string; readonly name?: string }[];
  readonly text: string;
}

function parsed({ stdout }: CliResult): JsonAnswer {
  return JSON.parse(stdout) as JsonAnswer;
}

/** Runs `dispatch` on a text in a folder with these files. */
async function dispatch(
  text: string,
  ...options: readonly string[]
): Promise<CliResult & { readonly after: Record<string, string> }> {
  const folder = await createTemporaryFolder(onTestFinished, files);
  const result = await runHere(['dispatch', '-', ...options], { cwd: folder, input: text });
  const after: Record<string, string> = {};
  for (const name of ['a.txt', 'new.txt']) {
    if (existsSync(join(folder, name))) after[name] = await readFile(join(folder, name), 'utf8');
  }
  return { ...result, after };
}

describe('dispatch', () => {
  test('lists the folder for a call with bare keys in an unclosed tag', async () => {
    const result = await dispatch('<tool_call>{name: "ls", arguments: {path: "."}}\n');
    expect(result.stdout).toContain('✓ ls .');
    expect(result.stdout).toContain('a.txt');
    expect(result.stdout).toContain('unquoted-key');
    expect(result.code).toBe(0);
  });

  test('prints one JSON value and nothing else with --json', async () => {
    const text = 'Let me see.\n```json\n{"name": "read", "arguments": {"path": "a.txt"}}\n```\n';
    const result = await dispatch(text, '--json');
    const answer = parsed(result);
    expect(answer.ok).toBe(true);
    expect(answer.calls).toHaveLength(1);
    expect(answer.calls[0]).toMatchObject({ id: 'call_1', name: 'read', arguments: { path: 'a.txt' } });
    expect(answer.calls[0]!.result.content[0]!.text).toContain('1→first');
    expect(answer.rejected).toEqual([]);
    expect(answer.text).toContain('Let me see.');
    expect(result.code).toBe(0);
  });

  test('denies changes without a terminal, and says so', async () => {
    const text = '<tool_call>{"name": "write", "arguments": {"path": "new.txt", "content": "x"}}</tool_call>';
    const result = await dispatch(text, '--json');
    expect(parsed(result).calls[0]!.result.error).toMatchObject({ code: 'PERMISSION_DENIED', fault: 'policy' });
    expect(result.stderr).toMatch(/^haft: no terminal to ask at: .*denied/);
    expect(result.after).toEqual({ 'a.txt': files['a.txt'] });
    expect(result.code).toBe(1);
  });

  test('allows everything with --yes and only reads with --read-only', async () => {
    const text = [
      '<tool_call>{"name": "write", "arguments": {"path": "new.txt", "content": "x\\n"}}</tool_call>',
      '<tool_call>{"name": "read", "arguments": {"path": "a.txt"}}</tool_call>',
    ].join('\n');
    const allowed = await dispatch(text, '--yes');
    expect(allowed.after['new.txt']).toBe('x\n');
    expect(allowed.stdout).toMatch(/✓ read a\.txt[^]*── writes ──\n✓ write new\.txt \(\+1 −0\)\n {4}.*\n {4}\+x/);
    expect(allowed.stderr).toBe('');
    expect(allowed.code).toBe(0);

    const readOnly = await dispatch(text, '--read-only', '--json');
    expect(parsed(readOnly).calls.map((call) => call.result.ok)).toEqual([false, true]);
    expect(parsed(readOnly).calls[0]!.result.error!.denial!.source).toBe('mode');
    expect(readOnly.after['new.txt']).toBeUndefined();
    expect(readOnly.stderr).toBe('');
    expect(readOnly.code).toBe(1);
  });

  test('never runs a call that was cut, and exits with 1', async () => {
    const result = await dispatch(
      '<tool_call>{"name": "write", "arguments": {"path": "new.txt", "content": "half',
      '--yes',
      '--json',
    );
    expect(parsed(result)).toMatchObject({ ok: false, calls: [], rejected: [{ reason: 'incomplete', name: 'write' }] });
    expect(result.after['new.txt']).toBeUndefined();
    expect(result.code).toBe(1);
  });

  test('explains every call that was not run: its name, the nearest name, the mistake, the remedy', async () => {
    const call = (json: string): string => `<tool_call>${json}</tool_call>`;
    const result = await dispatch(
      [
        call('{"name": "reed", "arguments": {"path": "a.txt"}}'),
        call('{"name": "frobnicate", "arguments": {}}'),
        call('{"name": "write", "arguments": "nonsense"}'),
        call('{"name": "read", "arguments": {"offset": "wide"}}'),
        call('{"name": "write", "arguments": {"path": "a.txt", "content": "x"}}'),
        '<tool_call>{"name": "bash", "arguments": {"command": "ec',
      ].join('\n'),
      '--yes',
    );
    const flat = result.stdout.replace(/\s+/g, ' ');
    expect(flat).toContain('✗ reed not run: unknown tool "reed" → did you mean read? (node ');
    expect(flat).toMatch(/main\.[jt]s tools lists them all\)/);
    expect(flat).toMatch(/unknown tool "frobnicate" → the tools are [a-z_, ]*\bbash, [a-z_, ]*\bgrep, /);
    expect(flat).toContain('"arguments": "nonsense"');
    expect(flat).toContain('→ write takes an object with at least path');
    expect(flat).toMatch(/INVALID_ARGS \(model\) .*\$\.path is required/);
    expect(flat).toMatch(/NOT_READ .*→ Call read with path "a\.txt" first.* put a read call for it before this call/);
    expect(flat).toContain('✗ bash not run: its arguments end before they are complete');
    expect(flat).toContain('add --stopped stop');
    for (const line of result.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(result.after['a.txt']).toBe(files['a.txt']);
  });

  test('does not mention the terminal if no question was needed', async () => {
    const read = await dispatch('<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>');
    expect(read.stderr).toBe('');
    const nothing = await dispatch('only words');
    expect(nothing.stderr).not.toContain('terminal');
    expect(nothing.stderr).toMatch(/<tool_call>[^]*\bbash, [^]*\bedit, /);
  });

  test('stays inside the folder', async () => {
    const result = await dispatch(
      '<tool_call>{"name": "read", "arguments": {"path": "/etc/passwd"}}</tool_call>',
      '--yes',
      '--json',
    );
    expect(parsed(result).calls[0]!.result.error).toMatchObject({ code: 'PERMISSION_DENIED', fault: 'policy' });
    expect(result.stdout).not.toContain('root:');
    expect(result.code).toBe(1);
  });

  test.each(['', 'no calls here, only words', '{"some": "json"}'])('exits with 1 without calls: %j', async (text) => {
    const plain = await dispatch(text);
    expect(plain).toMatchObject({ stdout: '', code: 1 });
    expect(plain.stderr).toContain('no tool call was found');
    const json = await dispatch(text, '--json');
    expect(parsed(json)).toMatchObject({ ok: false, calls: [], text });
    expect(json.code).toBe(1);
  });

  test('reads a file from --cwd, and uses tools of a plugin folder', async () => {
    const folder = await createTemporaryFolder(onTestFinished, {
      'said.txt': '<tool_call>{"name": "shout", "arguments": {"words": "hello"}}</tool_call>',
      'plugins/shout.mjs': [
        'export default { name: "shout", version: "1.0.0", tools: [{ name: "shout", description: "Shouts.", kind: "read",',
        'input: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },',
        'execute: ({ words }) => { console.log("noise of the plugin"); return words.toUpperCase(); } }] };',
      ].join('\n'),
    });
    const result = await runCli([
      'dispatch',
      'said.txt',
      '--cwd',
      folder,
      '--plugins',
      'plugins',
      '--trust-plugins',
      '--json',
    ]);
    expect(parsed(result).calls[0]!.result.content).toEqual([{ type: 'text', text: 'HELLO' }]);
    expect(result.stderr).toContain('plugin shout 1.0.0 loaded: shout');
    expect(result.stderr).toContain('noise of the plugin');
    expect(result.code).toBe(0);
  });

  test('calls tools of the configured MCP servers', async () => {
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
    const folder = await createTemporaryFolder(onTestFinished, {
      'mcp.json': JSON.stringify({ mcpServers: { near: { command: process.execPath, args: [entry, 'stdio'] } } }),
    });
    const text = '<tool_call>{"name": "near_echo", "arguments": {"message": "hello"}}</tool_call>';
    const run = (...more: readonly string[]): Promise<CliResult> =>
      runCli(['dispatch', '-', '--mcp', 'mcp.json', '--json', ...more], { cwd: folder, input: text });
    const unknown = await run();
    expect(unknown.stderr).toContain(`the MCP server near is not used: the user has to approve its command first: `);
    expect(parsed(unknown).calls).toEqual([]);
    const allowed = await run('--yes');
    expect(parsed(allowed).calls[0]!.result.content[0]!.text).toContain('Echo: hello');
    expect(allowed.code).toBe(0);
    // The command is approved from now on; its calls are still asked about.
    expect(parsed(await run()).calls[0]!.result.error!.code).toBe('PERMISSION_DENIED');
  });

  test('survives a plugin that throws outside any call, and exits with an error code', async () => {
    const folder = await createTemporaryFolder(onTestFinished, {
      'said.txt': '<tool_call>{"name": "trip", "arguments": {}}</tool_call>',
      'plugins/trip.mjs': [
        'export default { name: "trip", version: "1.0.0", tools: [{ name: "trip", description: "Trips.", kind: "read",',
        'input: { type: "object", properties: {} }, execute: async () => {',
        'queueMicrotask(() => { throw new Error("tripped\\nover a stone"); });',
        'await new Promise((resolve) => setImmediate(resolve)); return "up again"; } }] };',
      ].join('\n'),
    });
    const result = await runCli(['dispatch', 'said.txt', '--plugins', 'plugins', '--trust-plugins', '--read-only'], {
      cwd: folder,
    });
    expect(result.stdout).toContain('up again');
    expect(result.stderr).toMatch(/\nhaft: tripped\n$/);
    expect(result.code).toBe(1);
  });

  test('removes escape sequences of results from the output', async () => {
    const text = '<tool_call>{"name": "bash", "arguments": {"command": "printf \'\\\\033[2Jgone\\\\r\'"}}</tool_call>';
    const result = await dispatch(text, '--yes');
    expect(result.stdout).toContain('gone');
    expect(result.stdout).not.toMatch(/[\u001b\r]/);
  });
});
