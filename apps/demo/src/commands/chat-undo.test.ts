import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const write = (path: string, content: string): LoopbackReply => ({
  calls: [{ name: 'write', arguments: JSON.stringify({ path, content }) }],
});

test('/undo shows and undoes all changes of the last turn, and informs the model', async () => {
  const cwd = await createTemporaryFolder(onTestFinished, { 'a.txt': 'apple\n', 'b.txt': 'banana\n' });
  const { answers, asked, notes } = await converse(
    cwd,
    [shell('echo pear > a.txt; rm b.txt'), shell('echo new > c.txt'), words, words],
    ['/undo', 'change it', '/changes', '/undo', 'y', '/undo ', 'go on', '/nothing'],
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
  expect(answers.get('y')).toBe(
    '  ✓ a.txt restored\n  ✓ b.txt restored\n  ✓ c.txt deleted again\n  /redo brings these changes back\n',
  );
  expect(answers.get('/undo ')).toMatch(/nothing to undo/);
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('apple\n');
  expect(asked.at(-1)).toMatch(/^The user has undone changes of yours: a\.txt restored; [^]*\n\ngo on$/);
  expect(notes).toEqual([expect.stringContaining('/nothing is not a command; use /undo')]);
});

test('/undo asks before it undoes what the user may have done while a command ran, and /redo brings it back', async () => {
  const cwd = await createTemporaryFolder(onTestFinished, { 'notes.md': 'notes\n' });
  const path = join(cwd, 'notes.md');
  // For the journal, edits by the user during the command look like this.
  const command = shell('echo x > a1.txt; echo own > mine.txt; echo "edit by me" >> notes.md');
  const { answers, questions } = await converse(
    cwd,
    [command, write('b.txt', 'b'), words],
    [
      'change it',
      '/undo',
      '',
      () => expect(readFileSync(path, 'utf8')).toBe('notes\nedit by me\n'),
      '/redo',
      '/undo ',
      ' y ',
      () => expect(existsSync(join(cwd, 'mine.txt'))).toBe(false),
      '/redo ',
      () => expect(readFileSync(path, 'utf8')).toBe('notes\nedit by me\n'),
      '/redo  ',
      '/undo  ',
      'yes',
      () => expect(readFileSync(path, 'utf8')).toBe('notes\n'),
    ],
  );
  expect(questions).toContain(
    [
      '    * restore notes.md',
      '    * delete a1.txt',
      '    * delete mine.txt',
      '      delete b.txt',
      '    * You or another program may have changed this file.',
      '  /redo brings these changes back.',
      '  undo? [y]es, [N]o: ',
    ].join('\n'),
  );
  expect(answers.get('')).toBe('  nothing was undone\n');
  expect(answers.get('/redo')).toMatch(/^ {2}nothing to redo/);
  expect(answers.get('/redo ')).toBe(
    '  ✓ created a1.txt\n  ✓ created b.txt\n  ✓ created mine.txt\n  ✓ changed notes.md\n',
  );
  expect(answers.get('/redo  ')).toMatch(/^ {2}nothing to redo/);
});

test('/undo undoes turn by turn without a question while tools named the files of each turn', async () => {
  const cwd = await createTemporaryFolder(onTestFinished);
  const { answers, questions } = await converse(
    cwd,
    [write('a.txt', 'a'), words, write('b.txt', 'b'), words],
    ['first', 'second', '/undo', '/undo '],
  );
  expect([answers.get('/undo'), answers.get('/undo ')]).toEqual([
    '  ✓ b.txt deleted again\n',
    '  ✓ a.txt deleted again\n',
  ]);
  expect(questions).not.toContain('undo?');
});

test('/undo names another turn than the last one and asks', async () => {
  const cwd = await createTemporaryFolder(onTestFinished);
  const { answers, questions } = await converse(
    cwd,
    [write('a.txt', 'a'), words, words],
    ['write a', 'and now?', '/changes', '/undo', 'no', '/undo ', 'y'],
  );
  expect(answers.get('/changes')).toMatch(/^ {2}changes of the turn of .*, “write a”\n {2}created a\.txt/);
  expect(answers.get('no')).toBe('  nothing was undone\n');
  expect(answers.get('y')).toBe('  ✓ a.txt deleted again\n');
  expect(questions).toMatch(
    /\? The last turn has nothing that can be undone\.\n {2}Undo the turn of .*, “write a”\?\n/,
  );
});

test('/undo names the turn of another conversation, and keeps a file of it that was made anew', async () => {
  const state = await createTemporaryFolder(onTestFinished);
  const cwd = await createTemporaryFolder(onTestFinished);
  const out = join(cwd, 'out.txt');
  await converse(cwd, [write('out.txt', 'hello\n'), write('b.txt', 'b'), words], ['go'], { state });
  rmSync(out);
  // The write sees the file that another run made, and changes nothing.
  const { answers, questions } = await converse(
    cwd,
    [write('out.txt', 'hello\n'), words],
    [() => writeFileSync(out, 'hello\n'), 'write it', '/undo', 'y', '/undo '],
    { state },
  );
  expect(questions).toMatch(
    /nothing that can be undone\.\n {2}Undo the turn of .* in another conversation, “go”\?\n {6}delete b/,
  );
  expect(answers.get('y')).toMatch(
    /^ {2}✓ b\.txt deleted again\n {2}⊘ not undone: out\.txt has been removed and created/,
  );
  expect(readFileSync(out, 'utf8')).toBe('hello\n');
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
      'y',
      () => expect(readFileSync(path, 'utf8')).toBe('mine\n'),
      '/undo  call',
      () => writeFileSync(path, 'three\n'),
      '/undo call ',
      'y ',
      () => expect(readFileSync(path, 'utf8')).toBe('two\n'),
      '/undo',
      'y  ',
      '/changes',
    ],
  );
  const redo = '  /redo brings these changes back\n';
  expect(answers.get('y')).toBe(
    `  ✓ made.txt deleted again\n  ⊘ not undone: a.txt has been changed since, and that change would be lost.\n${redo}`,
  );
  expect(answers.get('/undo  call')).toMatch(
    /^ {2}cannot undo the call of bash of .*\n {2}⊘ not undone: a\.txt has been changed since, and that change would be lost\.\n {2}→ .* run \/undo call again\n {2}nothing else can be undone\n$/,
  );
  expect(answers.get('y ')).toBe(`  ✓ a.txt restored\n${redo}`);
  expect(answers.get('y  ')).toBe(`  ✓ a.txt restored\n${redo}`);
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
  expect(await type()).toEqual([1, expect.stringMatching(/\* restore a\.txt.*no terminal to ask.*add --yes$/)]);
  expect(readFileSync(path, 'utf8')).toBe('three\n');
  const undone = [0, '  ✓ a.txt restored\n  haft undo --redo brings these changes back\n'];
  expect(await type({ flags: ['yes'] })).toEqual(undone);
  expect(readFileSync(path, 'utf8')).toBe('two\n');
  expect(await type({ flags: ['redo'] })).toEqual([0, '  ✓ changed a.txt\n']);
  expect(readFileSync(path, 'utf8')).toBe('three\n');
  expect(await type({ flags: ['yes'] })).toEqual(undone);
  expect((await type({ positionals: ['call'], flags: ['yes'] }))[0]).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(await type()).toEqual([1, expect.stringContaining('nothing to undo')]);
  await expect(type({ positionals: ['all'] })).rejects.toThrow('undo all: unknown operand (expected call, or nothing)');
});
