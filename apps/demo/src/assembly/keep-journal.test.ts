import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal } from '@haft/journal';
import { expect, onTestFinished, test } from 'vitest';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { keepJournal, type KeepJournalOptions } from './keep-journal.ts';

interface Kept {
  readonly journal: Journal | undefined;
  readonly notes: readonly string[];
}

async function keep(cwd: string, state: string, more: Partial<KeepJournalOptions> = {}): Promise<Kept> {
  const notes: string[] = [];
  const { signal } = new AbortController();
  const workspace = { cwd, writeRoots: [cwd], logger: { debug() {}, info() {}, warn() {}, error() {} } };
  const journal = await keepJournal({ workspace, state, signal, note: (line) => void notes.push(line), ...more });
  return { journal, notes };
}

test('keepJournal keeps one private journal per working folder, for one run at a time', async () => {
  const cwd = await createTemporaryFolder(onTestFinished, { 'a.txt': 'apple\n' });
  const state = await createTemporaryFolder(onTestFinished);
  const first = await keep(cwd, state);
  expect(first.notes).toEqual([]);
  const [folder] = readdirSync(join(state, 'journals'));
  expect(statSync(join(state, 'journals', folder!)).mode & 0o777).toBe(0o700);
  const second = await keep(cwd, state);
  expect(second.journal).toBeUndefined();
  expect(second.notes).toEqual([
    "haft: changes can't be undone in this run: another run uses the journal of this folder; end that run first",
  ]);
  await first.journal!.close();
  const third = await keep(cwd, state);
  await third.journal!.close();
  expect(third.notes).toEqual([]);
});

test('keepJournal continues without a journal, and leaves no files, if the folder is too large or contains the state folder', async () => {
  const cwd = await createTemporaryFolder(
    onTestFinished,
    Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`folder-${index % 20}/${index}.txt`, `${index}`])),
  );
  const state = await createTemporaryFolder(onTestFinished);
  const large = await keep(cwd, state, { patienceMs: 0 });
  expect(large.journal).toBeUndefined();
  expect(large.notes).toEqual([
    "haft: changes can't be undone in this run: scanning this folder takes longer than 0 s",
  ]);
  expect(readdirSync(join(state, 'journals'))).toEqual([]);

  const inside = await keep(cwd, join(cwd, 'state'));
  expect(inside.journal).toBeUndefined();
  expect(inside.notes[0]).toMatch(/^haft: changes can't be undone in this run: [^\n]*inside this folder[^\n]*$/);
  expect(existsSync(join(cwd, 'state', 'journals'))).toBe(false);
});
