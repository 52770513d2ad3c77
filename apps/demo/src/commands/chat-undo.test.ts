import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBuiltins } from '@haft/builtins';
import { allowAll, createDispatcher, createWorkspace } from '@haft/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepJournal } from '../assembly/keep-journal.ts';
import type { LoopbackReply } from '../testing/loopback-model-server.ts';
import { invoke, converse, type Invoked } from '../testing/converse.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { undo } from './undo.ts';

const shell = (command: string): LoopbackReply => ({
  calls: [{ name: 'bash', arguments: JSON.stringify({ command }) }],
});
const words: LoopbackReply = { text: 'Done.' };

test('/undo shows and undoes all changes of the last turn, and informs the model', async () => {
  const cwd = await createTemporaryFolder(onTestFinished, { 'a.txt': 'apple\n', 'b.txt': 'banana\n' });
  const { answers, asked, notes } = await converse(
    cwd,
    [shell('echo pear > a.txt; rm b.txt'), shell('echo new > c.txt'), words, words, words],
    ['/undo', 'change it', 'and now?', '/changes', '/undo', '/undo ', 'go on', '/nothing'],
  );
  expect(answers.get('/changes')).toBe(
    [
      '  changed a.txt (+1 −1)',
      '    @@ -1,1 +1,1 @@',
      '    -apple',
      '    +pear',
      '  deleted b.txt (+0 −1)',
      '    @@ -1,1 +0,0 @@',
      '    -banana',
      '  created c.txt (+1 −0)',
      '    @@ -0,0 +1,1 @@',
      '    +new',
      '',
    ].join('\n'),
  );
  expect(answers.get('/undo')).toBe('  ✓ a.txt restored\n  ✓ b.txt restored\n  ✓ c.txt deleted again\n');
  expect(answers.get('/undo ')).toMatch(/nothing to undo/);
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('apple\n');
  expect(asked.at(-1)).toMatch(/^The user has undone changes of yours: a\.txt restored; [^]*\n\ngo on$/);
  expect(notes).toEqual([expect.stringContaining('/nothing is not a command; use /undo')]);
});

test('/undo call undoes call by call, and skips files that were changed since until that is resolved', async () => {
  const cwd = await createTemporaryFolder(onTestFinished, { 'a.txt': 'one\n' });
  const path = join(cwd, 'a.txt');
  const { answers } = await converse(
    cwd,
    [shell('echo two > a.txt'), shell('echo three > a.txt; echo made > made.txt'), words],
    [
      'change it twice',
      () => writeFileSync(path, 'mine\n'),
      '/undo call',
      () => expect(readFileSync(path, 'utf8')).toBe('mine\n'),
      '/undo  call',
      () => writeFileSync(path, 'three\n'),
      '/undo call ',
      () => expect(readFileSync(path, 'utf8')).toBe('two\n'),
      '/undo',
      '/changes',
    ],
  );
  expect(answers.get('/undo call')).toBe(
    '  ✓ made.txt deleted again\n  ⊘ not undone: a.txt has been changed since; undoing would lose that change.\n',
  );
  expect(answers.get('/undo  call')).toBe(
    '  ⊘ not undone: a.txt has been changed since; undoing would lose that change.\n',
  );
  expect(answers.get('/undo call ')).toBe('  ✓ a.txt restored\n');
  expect(answers.get('/undo')).toBe('  ✓ a.txt restored\n');
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(answers.get('/changes')).toMatch(/all of these changes have been undone\n$/);
});

test("haft undo undoes a client's calls one by one, newest first", async () => {
  const cwd = await createTemporaryFolder(onTestFinished, { 'a.txt': 'one\n' });
  vi.stubEnv('XDG_STATE_HOME', await createTemporaryFolder(onTestFinished));
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = join(cwd, 'a.txt');
  const type = async (given: Partial<Invoked> = {}): Promise<readonly [code: number, screen: string]> => {
    let screen = '';
    const write = (text: string): void => void (screen += text);
    const code = await undo.run(invoke(cwd, { write, note: write, ...given }));
    return [code, screen];
  };
  expect(await type()).toEqual([1, expect.stringContaining('no run has recorded changes')]);
  expect(existsSync(join(process.env['XDG_STATE_HOME']!, 'haft', 'journals'))).toBe(false);
  const workspace = createWorkspace({ cwd, permission: allowAll });
  const journal = await keepJournal({ workspace, note: () => {}, signal: new AbortController().signal });
  const served = createDispatcher({ registry: createBuiltins(), workspace, middleware: [journal!.middleware] });
  for (const content of ['two', 'three'])
    await served.dispatch({ id: content, name: 'bash', arguments: { command: `echo ${content} > a.txt` } });
  await journal!.close();

  expect(await type({ flags: ['changes'] })).toEqual([0, expect.stringMatching(/-two\n +\+three/)]);
  expect(await type()).toEqual([0, '  ✓ a.txt restored\n']);
  expect(readFileSync(path, 'utf8')).toBe('two\n');
  expect((await type({ positionals: ['call'] }))[0]).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(await type()).toEqual([1, expect.stringContaining('nothing to undo')]);
  await expect(type({ positionals: ['all'] })).rejects.toThrow('undo all: unknown operand (expected call, or nothing)');
});
