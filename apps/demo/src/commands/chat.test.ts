import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  startLoopbackModelServer,
  type LoopbackModelServer,
  type LoopbackReply,
} from '../testing/loopback-model-server.ts';
import { runCli, type CliResult, type RunCliOptions } from '../testing/run-cli.ts';
import { runHere } from '../testing/run-here.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

interface Chatted extends CliResult {
  readonly server: LoopbackModelServer;
  readonly written: string | undefined;
}

async function chat(
  replies: readonly LoopbackReply[],
  args: readonly string[] = [],
  options: RunCliOptions = {},
): Promise<Chatted> {
  const folder = await createTemporaryFolder(onTestFinished, { 'a.txt': 'apple\n' });
  const server = await startLoopbackModelServer(replies);
  try {
    const line = ['chat', 'look', 'here', '--base-url', server.baseUrl, '--model', 'tiny', ...args];
    const { onOutput, ...others } = { cwd: folder, ...options };
    const result = await (onOutput ? runCli(line, { ...others, onOutput }) : runHere(line, others));
    const target = join(folder, 'new.txt');
    return { ...result, server, written: existsSync(target) ? await readFile(target, 'utf8') : undefined };
  } finally {
    await server.close();
  }
}

const write = { name: 'write', arguments: '{path: "new.txt", "content": "pear\\n",}' };

describe('chat', () => {
  test('streams the words of a model, runs its calls, and sends back the results', async () => {
    const { code, stdout, server } = await chat([
      { text: 'I will look.', calls: [{ name: 'read', arguments: '{"path": "a.txt"}' }] },
      { text: 'There is an apple.' },
    ]);
    expect(stdout).toMatch(
      /turn 1\n {2}I will look\.\n {2}✓ read a\.txt \(\d+ ms\)\n {6}1→apple\n\nturn 2\n {2}There is an apple\.\n$/,
    );
    expect(code).toBe(0);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]).toMatchObject({ model: 'tiny', stream: true });
    const messages = server.requests[1]!['messages'] as readonly { readonly role: string; readonly content: string }[];
    expect(messages.find((message) => message.role === 'user')!.content).toBe('look here');
    expect(messages.find((message) => message.role === 'tool')!.content).toContain('1→apple');
  });

  test('names the limit of turns that a task reached, and the option that raises it', async () => {
    const call = { calls: [{ name: 'read', arguments: '{"path": "a.txt"}' }] };
    const { code, stderr, server } = await chat([call, call, { text: 'So far.' }], ['--max-turns', '2']);
    expect(stderr).toBe('haft: the task reached its limit of 2 turns (--max-turns N raises it)\n');
    expect(server.requests).toHaveLength(3);
    expect(code).toBe(1);
  });

  test('extracts calls from the text of models that write them there', async () => {
    const { code, stdout } = await chat([
      { text: 'Looking. <tool_call>{"name": "read", "arguments": {"path": "a.txt"}}</tool_call>' },
      { text: 'Done.' },
    ]);
    expect(stdout).toMatch(/✓ read a\.txt .*\n.*written as text \(hermes\)/);
    expect(code).toBe(0);
  });

  test('denies changes without a terminal, and continues', async () => {
    const replies = [{ calls: [write] }, { text: 'Then not.' }];
    const denied = await chat(replies);
    expect(denied.stdout).toContain('⊘ write new.txt');
    expect(denied.stderr).toContain('no terminal to ask at');
    expect(denied.written).toBeUndefined();
    expect(denied.code).toBe(0);
    const allowed = await chat(replies, ['--yes']);
    expect(allowed.written).toBe('pear\n');
    expect(allowed.stdout).toMatch(/✓ write new\.txt \(\+1 −0\)[^]*\+pear/);
  });

  test('sends a key only if it was named', async () => {
    const env = { OPENAI_API_KEY: 'not-for-you', MINE: 'for-you' };
    expect((await chat([{ text: 'hi' }], [], { env })).server.keys).toEqual([undefined]);
    expect((await chat([{ text: 'hi' }], ['--api-key-env', 'MINE'], { env })).server.keys).toEqual(['Bearer for-you']);
  });

  test('reads URL, key and model from the environment', async () => {
    const server = await startLoopbackModelServer([{ text: 'Hello.' }]);
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: 'env-model' };
    const cwd = await createTemporaryFolder(onTestFinished);
    const { code, stdout } = await runHere(['chat', 'hi'], { env, cwd });
    await server.close();
    expect(stdout).toContain('Hello.');
    expect(server.requests[0]).toMatchObject({ model: 'env-model' });
    expect(server.keys).toEqual(['Bearer k']);
    expect(code).toBe(0);
  });

  test('ends the turn on Ctrl-C, disconnects from the server, and exits with 130', async () => {
    const { code, stdout, stderr, server } = await chat([{ text: 'A very long thought', hangs: true }], [], {
      onOutput: (output, child) => {
        if (output.includes('thought')) child.kill('SIGINT');
      },
    });
    await server.abandoned;
    expect(stdout).toContain('A very long thought');
    expect(stderr).toMatch(/haft: stopped\n$/);
    expect(code).toBe(130);
  });

  test('begins with the model, the folder and how to exit, and shows the output of a failing command', async () => {
    const command = { name: 'bash', arguments: '{"command": "seq 40; echo it is broken >&2; exit 3"}' };
    const { stdout } = await chat([{ calls: [command] }, { text: 'It failed.' }], ['--yes']);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/^tiny at http:\S+ works in \S+; Ctrl-C ends it turn 1/);
    expect(stdout).toMatch(/✗ bash .* EXIT_CODE \(world\)\n[^]*… \d+ more lines above\n[^]*it is broken/);
    expect(stdout).not.toMatch(/^ +1$/m);
  });

  test('shows the beginning and the end of the output of a call, or everything with --full-output', async () => {
    const command = { name: 'bash', arguments: '{"command": "seq 1001 1040"}' };
    const quiet = { name: 'bash', arguments: '{"command": "true"}' };
    const replies = [{ calls: [command, quiet] }, { text: 'Counted.' }];
    const { stdout: short } = await chat(replies, ['--yes']);
    const [, shown] = /✓ bash seq 1001 1040 .*\n([^]*?)\n\nturn 2/.exec(short) ?? [];
    const ends = ['1001', '1002', '1003', '… 35 more lines', '1039', '1040'].map((line) => `      ${line}`);
    expect(shown?.split('\n')).toEqual([...ends, expect.stringMatching(/^ {2}✓ bash true \(.*\)$/)]);
    const { stdout: whole } = await chat(replies, ['--yes', '--full-output']);
    expect(whole.match(/^ {6}10\d\d$/gm)).toHaveLength(40);
    expect(whole).not.toContain('more lines');
  });

  test('reports once that a URL returns web pages', async () => {
    const { code, stdout, stderr, server } = await chat([{ page: '<!doctype html><title>Hi</title>' }], ['--yes']);
    expect(stderr).toMatch(/^haft: [^\n]*text\/html[^\n]*does not look like an OpenAI-compatible API[^\n]*\n$/);
    expect(stdout).not.toContain('trying again');
    expect(server.requests).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("reports each retry in one line, with the server's message", async () => {
    const { code, stdout } = await chat([{ status: 500 }, { text: 'Now it works.' }], ['--yes']);
    expect(stdout.match(/status 500 for\s+a\s+test/g)).toHaveLength(1);
    expect(stdout.match(/trying\s+again/g)).toHaveLength(1);
    expect(stdout).toContain('Now it works.');
    expect(code).toBe(0);
  });

  test('reports in one line why a model failed', async () => {
    const { code, stderr } = await chat([{ status: 401 }], ['--yes']);
    expect(stderr).toMatch(/^haft: [^\n]*401[^\n]*\n$/);
    expect(code).toBe(1);
  });

  test('reports in one line that no server responds, with exit code 2', async () => {
    const server = await startLoopbackModelServer([]);
    await server.close();
    const { code, stdout, stderr } = await runHere(['chat', 'hi', '--base-url', server.baseUrl, '--model', 'm']);
    expect(stderr).toBe(`haft: no server responds at ${server.baseUrl}: connection refused\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
