import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { undo } from '../commands/undo.ts';
import { converse, invoke } from '../testing/converse.ts';
import type { LoopbackReply } from '../testing/loopback-model-server.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const call = (name: string, args: object): LoopbackReply => ({ calls: [{ name, arguments: JSON.stringify(args) }] });
const shell = (command: string): LoopbackReply => call('bash', { command });
const write = (path: string, content: string): LoopbackReply => call('write', { path, content });
const words: LoopbackReply = { text: 'Done.' };

const newFolder = (files: Readonly<Record<string, string>> = {}): Promise<string> =>
  createTemporaryFolder(onTestFinished, files);

/** Runs `haft undo` without a terminal, on the state of the last conversation. */
async function undoLater(cwd: string, ...flags: readonly string[]): Promise<readonly [code: number, screen: string]> {
  let screen = '';
  const add = (text: string): void => void (screen += text);
  return [await undo.run(invoke(cwd, { write: add, note: add, flags })), screen];
}

test('haft undo names the turn that it would undo, because the last turn may have changed nothing', async () => {
  const cwd = await newFolder();
  await converse(cwd, [write('a.txt', 'a'), words, words], ['write a', 'and now?']);
  const [code, screen] = await undoLater(cwd);
  expect([code, existsSync(join(cwd, 'a.txt'))]).toEqual([1, true]);
  expect(screen).toMatch(/^Undo the turn of .*, “write a”\? +delete a\.txthaft: nothing was undone: .* add --yes$/);
  expect(await undoLater(cwd, 'yes')).toEqual([0, '  ✓ a.txt deleted again\n']);
});

test('/undo lists both files if one was deleted and another one with the same content was created', async () => {
  const cwd = await newFolder({ 'report.md': 'long work\n' });
  const { questions } = await converse(
    cwd,
    [shell('rm report.md; echo long work > my-rescued-copy.md'), words],
    ['remove it', '/undo', 'n'],
  );
  expect(questions).toMatch(/\* restore report\.md\n +\* delete my-rescued-copy\.md\n/);
});

test('/undo lists files that existed before the turn first, and /changes lists all', async () => {
  const cwd = await newFolder({ 'zz-mine.txt': 'mine\n' });
  const made = Array.from({ length: 61 }, (_, index) => `gen${index + 10}.txt`);
  const { questions, answers } = await converse(
    cwd,
    [shell(`touch ${made.join(' ')}; echo more >> zz-mine.txt`), words],
    ['generate', '/undo', 'n', '/changes'],
  );
  expect(questions).toMatch(/“generate”\?\n +\* restore zz-mine\.txt\n/);
  expect(questions).toContain('and 12 more; /changes shows all\n');
  expect(answers.get('/changes')).toContain('created gen70.txt');
});

test('/undo goes on to the turn before if nothing of the last one can be undone, and says what to do', async () => {
  const cwd = await newFolder();
  const video = join(cwd, 'video.bin');
  const { answers, questions } = await converse(
    cwd,
    [write('a.txt', 'a'), words, shell('touch log.txt; head -c 11000000 /dev/zero > video.bin'), words],
    [
      'write a',
      'record',
      '/undo',
      'y',
      '/undo ',
      'n',
      '/undo  ',
      'y ',
      () => expect(readdirSync(cwd)).toEqual(['video.bin']),
      '/undo   ',
      () => rmSync(video),
      '/undo    ',
    ],
  );
  const kept =
    /^ {2}cannot undo the turn of .*, “record”:\n {2}⊘ not undone: video\.bin changed [^]* delete it yourself\s+if you don't need it\.\n {2}→ the journal cannot restore all of these files; [^→]*$/;
  expect(answers.get('y')).toMatch(/^ {2}✓ log\.txt deleted again\n {2}⊘ not undone: video\.bin/);
  expect(answers.get('/undo ')).toMatch(kept);
  expect(questions).toMatch(/The last turn has nothing that can be undone\.\n {2}Undo the turn of .*, “write a”\?\n/);
  expect(answers.get('y ')).toBe('  ✓ a.txt deleted again\n');
  expect(answers.get('/undo   ')).toMatch(kept);
  expect(answers.get('/undo    ')).toMatch(/^ {2}nothing to undo/);
});

test('haft undo --yes names a turn that it passes over and the turn that it undoes, and says what to do', async () => {
  const cwd = await newFolder();
  await converse(cwd, [write('a.txt', 'a'), words, write('b.txt', 'b'), words], ['write a', 'write b']);
  const path = join(cwd, 'b.txt');
  writeFileSync(path, 'mine');
  const passed =
    /^ {2}cannot undo the turn of .*, “write b”:\n {2}⊘ not undone: b\.txt has been changed since, .*\n {2}→ .*revert the later changes yourself and run haft undo again\n/;
  const [code, screen] = await undoLater(cwd, 'yes');
  expect([code, readdirSync(cwd)]).toEqual([0, ['b.txt']]);
  expect(screen).toMatch(passed);
  expect(screen).toMatch(/\n {2}undoing the turn of .*, “write a”, instead:\n {2}✓ a\.txt deleted again\n$/);
  const [next, again] = await undoLater(cwd, 'yes');
  expect([next, readFileSync(path, 'utf8')]).toEqual([1, 'mine']);
  expect(again).toMatch(passed);
  expect(again).toMatch(/\n {2}nothing else can be undone\n$/);
  // The advice is right: without the later change, the turn is undone.
  writeFileSync(path, 'b');
  expect(await undoLater(cwd, 'yes')).toEqual([0, '  ✓ b.txt deleted again\n']);
});

test('/undo says that there has been no turn yet, and /undo call names the call', async () => {
  const cwd = await newFolder();
  const state = await newFolder();
  await converse(cwd, [write('a.txt', 'a'), words], ['write a'], { state });
  const { questions } = await converse(cwd, [shell('echo b > b.txt'), words], ['/undo', 'n', 'write b', '/undo call'], {
    state,
    flags: ['continue'],
  });
  expect(questions).toMatch(
    /\? There has been no turn since this program started\.\n {2}Undo the turn of .*“write a”\?/,
  );
  expect(questions).toMatch(/\? Undo the call of bash of .*, “write b”\?\n/);
});

test('/redo that is refused says that nothing was brought back', async () => {
  const cwd = await newFolder();
  const path = join(cwd, 'a.txt');
  const { answers } = await converse(
    cwd,
    [write('a.txt', 'a'), words],
    ['write a', '/undo', () => writeFileSync(path, 'mine'), '/redo'],
  );
  expect(answers.get('/redo')).toBe(
    '  ⊘ not brought back: a.txt has been changed since, and that change would be lost.\n',
  );
  expect(readFileSync(path, 'utf8')).toBe('mine');
});

test('haft undo refuses options that would have no effect', async () => {
  const cwd = await newFolder();
  const type = (flags: readonly string[], positionals: readonly string[] = []): Promise<number> =>
    undo.run(invoke(cwd, { write: () => {}, note: () => {}, flags, positionals }));
  await expect(type(['redo', 'changes'])).rejects.toThrow('--redo and --changes exclude each other');
  await expect(type(['redo'], ['call'])).rejects.toThrow('undo call: --redo does not apply to one call');
});
