import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLoopbackModelServer } from '../testing/loopback-model-server.ts';
import { hasPseudoTerminals, runAtTerminal, type TerminalRun } from '../testing/run-at-terminal.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const writes = [
  '<tool_call>{"name": "write", "arguments": {"path": "one.txt", "content": "1\\n"}}</tool_call>',
  '<tool_call>{"name": "bash", "arguments": {"command": "cp one.txt two.txt"}}</tool_call>',
].join('\n');

async function dispatchAtTerminal(
  options: readonly string[],
  redirections: string,
  answers: readonly string[],
): Promise<TerminalRun & { readonly files: readonly string[] }> {
  const folder = await createTemporaryFolder(onTestFinished, { 'said.txt': writes });
  const typed = answers.map((answer) => ({ cue: 'allow?', text: `${answer}\n` }));
  const run = await runAtTerminal(['dispatch', ...options], { cwd: folder, redirections, typed });
  return { ...run, files: ['one.txt', 'two.txt'].filter((name) => existsSync(join(folder, name))) };
}

describe.skipIf(!hasPseudoTerminals)('a user at a terminal', () => {
  test('is asked about each change, even if the text comes from standard input', async () => {
    const run = await dispatchAtTerminal(['-'], '< said.txt', ['y', 'y']);
    expect(run.screen).toContain('? write: Write one.txt');
    expect(run.screen).toContain('command: cp one.txt two.txt');
    expect(run.raw).toContain('\u001b[32m✓');
    expect(run.files).toEqual(['one.txt', 'two.txt']);
    expect(run.code).toBe(0);
  });

  test('is told what the program is waiting for', async () => {
    const folder = await createTemporaryFolder(onTestFinished);
    const cue = "waiting for a model's text";
    const dispatched = await runAtTerminal(['dispatch', '-'], {
      cwd: folder,
      typed: [{ cue, text: '<tool_call>{name: "ls", arguments: {path: "."}}\n\u0004' }],
    });
    expect(dispatched.screen).toContain(cue);
    expect(dispatched.code).toBe(0);
    const served = await runAtTerminal(['serve'], { cwd: folder, typed: [{ cue: 'MCP client', text: '\u0003' }] });
    expect(served.screen).toContain('waiting for an MCP client on standard input');
    expect(served.code).toBe(130);
  });

  test('can deny a call and give a reason', async () => {
    const run = await dispatchAtTerminal(['-'], '< said.txt', ['y', 'n not now']);
    expect(run.screen).toMatch(/⊘ bash cp one\.txt two\.txt .*PERMISSION_DENIED/);
    expect(run.screen).toContain('not now');
    expect(run.files).toEqual(['one.txt']);
    expect(run.code).toBe(1);
  });

  test('is asked at the terminal even if standard output is redirected, which stays clean', async () => {
    const run = await dispatchAtTerminal(['said.txt', '--json'], '> out.json && echo kept && head -c 1 out.json', [
      'y',
      'y',
    ]);
    expect(run.screen).toContain('allow?');
    expect(run.screen).toMatch(/kept\n\{$/);
    expect(run.files).toEqual(['one.txt', 'two.txt']);
  });

  test('can give a task, approve, stop a turn with Ctrl-C and leave with Ctrl-D', async () => {
    const folder = await createTemporaryFolder(onTestFinished);
    const server = await startLoopbackModelServer([
      { calls: [{ name: 'write', arguments: '{"path": "one.txt", "content": "1"}' }] },
      { text: 'It is written.' },
      { text: 'Thinking for ever', hangs: true },
    ]);
    onTestFinished(() => server.close());
    const run = await runAtTerminal(['chat', '--base-url', server.baseUrl, '--model', 'tiny'], {
      cwd: folder,
      typed: [
        // Lines typed before a question do not answer it.
        { cue: 'you', text: 'write one\nn\n' },
        { cue: 'allow?', text: 'y\n' },
        { cue: 'you', text: 'think\n' },
        { cue: 'ever', text: '\u0003' },
        { cue: 'you', text: '\u0004' },
      ],
    });
    expect(run.screen).toContain('It is written.');
    expect(run.screen).toContain('haft: stopped');
    expect(existsSync(join(folder, 'one.txt'))).toBe(true);
    expect(run.code).toBe(0);
  });

  const openChat = async (): Promise<{ readonly args: readonly string[]; readonly said: () => unknown }> => {
    const server = await startLoopbackModelServer([{ text: 'Hello.' }]);
    onTestFinished(() => server.close());
    const args = ['chat', '--base-url', server.baseUrl, '--model', 'tiny'];
    return { args, said: () => (server.requests[0]!['messages'] as readonly object[]).at(-1) };
  };

  test('can suspend the program at the prompt, use the shell, and come back to what was typed', async () => {
    const { args, said } = await openChat();
    const text = ' a line that is too long for a narrow terminal';
    const run = await runAtTerminal(args, {
      cwd: await createTemporaryFolder(onTestFinished),
      isJob: true,
      typed: [
        { cue: 'you', text: 'type\u001a' },
        { cue: 'Stopped', text: '' },
        { cue: 'shell> ', text: 'stty cols 30; stty -a | grep -oE -e "-?(icanon|echo) "; echo "modes"\n' },
        { cue: '\nmodes', text: '' },
        { cue: 'shell> ', text: 'fg\n' },
        // To the beginning of the line, which is in the row above if the program knows the new width.
        { cue: 'type', text: `${text}\u0001` },
        { cue: '\u001b[1A', text: 'I ' },
        { cue: 'I type', text: '\n' },
        { cue: 'Hello.', text: '' },
        { cue: 'you', text: '\u0004' },
        { cue: 'shell>', text: 'exit\n' },
      ],
    });
    expect(run.screen).toMatch(/\nicanon *\necho *\nmodes/);
    expect(said()).toEqual({ role: 'user', content: `I type${text}` });
  });

  test('gets the prompt back after Ctrl-Z if no shell can suspend the program', async () => {
    const { args, said } = await openChat();
    const run = await runAtTerminal(args, {
      cwd: await createTemporaryFolder(onTestFinished),
      typed: [
        { cue: 'you', text: 'typed\u001a' },
        { cue: 'you', text: ' on\n' },
        { cue: 'Hello.', text: '' },
        { cue: 'you', text: '\u0004' },
      ],
    });
    expect(said()).toEqual({ role: 'user', content: 'typed on' });
    expect(run.code).toBe(0);
  });

  test('can paste several lines as one task', async () => {
    const { args, said } = await openChat();
    const run = await runAtTerminal(args, {
      cwd: await createTemporaryFolder(onTestFinished),
      typed: [
        { cue: 'you', text: 'explain \u001b[200~this\rand\rthat\u001b[201~' },
        { cue: '… that', text: '\r' },
        { cue: 'Hello.', text: '' },
        { cue: 'you', text: '\u0004' },
      ],
    });
    expect(said()).toEqual({ role: 'user', content: 'explain this\nand\nthat' });
    expect(run.code).toBe(0);
  });

  test('keeps the prompt and the typed text when a plugin loads in the meantime', async () => {
    const folder = await createTemporaryFolder(onTestFinished, { 'plugins/readme.md': '' });
    const server = await startLoopbackModelServer([{ text: 'Hello.' }]);
    onTestFinished(() => server.close());
    const plugin = `export default { name: 'empty', version: '1.0.0', tools: [
      { name: 'rest', description: 'Rests.', kind: 'read', input: { type: 'object' }, execute: () => 'rested' } ] };`;
    const save = (): void => writeFileSync(join(folder, 'plugins/empty.mjs'), plugin);
    const args = ['chat', '--base-url', server.baseUrl, '--model', 'tiny', '--plugins', 'plugins', '--trust-plugins'];
    const run = await runAtTerminal(args, {
      cwd: folder,
      typed: [
        { cue: 'you', text: 'good dxay\u001b[D\u001b[D\u007f' },
        { cue: 'good', text: '', act: save },
        { cue: 'loaded: rest', text: '' },
        { cue: 'good day', text: '\n' },
        { cue: 'you', text: '\u0004' },
      ],
    });
    expect(run.screen).toMatch(/\n?haft: plugin empty 1\.0\.0 loaded: rest\r?\n.*you good day/);
    expect(server.requests[0]!['messages']).toContainEqual({ role: 'user', content: 'good day' });
    expect(run.code).toBe(0);
  });
});
