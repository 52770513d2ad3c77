import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConfinedDirectory } from '@haft/sandbox';
import { expect, it, onTestFinished } from 'vitest';
import { readFileState } from '../content/content-reader.ts';
import { openContentStore } from '../content/content-store.ts';
import { absent, type EntryState } from '../entry-state.ts';
import { applyStates } from './apply-states.ts';

function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-apply-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Removes the entry `it` of a folder, which had a state before. Returns the code of the result. */
async function removeIt(folder: string, from: EntryState): Promise<string> {
  const contents = openContentStore(createFolder(), 1_000_000);
  onTestFinished(() => contents.close());
  const { failed } = await applyStates([{ path: join(folder, 'it'), from, to: absent }], { roots: [folder], contents });
  return failed ? 'kept' : 'removed';
}

/** The state of a file that is too large for the journal. */
async function stateOfLargeFile(folder: string): Promise<EntryState> {
  const contents = openContentStore(createFolder(), 1_000_000);
  onTestFinished(() => contents.close());
  const open = openConfinedDirectory([folder], folder);
  if (!open.ok) throw new Error(open.message);
  const state = await readFileState(open, 'it', open.stat(['it'])[0]!, contents, 0);
  open.close();
  return state!;
}

it.each<[was: string, EntryState]>([
  ['a link', { kind: 'link', target: 'other' }],
  ['a folder', { kind: 'directory', mode: 0o755 }],
  ['a pipe', { kind: 'other' }],
  ['a file without a stored content', { kind: 'file', mode: 0o644, size: 4, stamp: '1:4:1:1' }],
])('keeps a file that has just replaced %s', async (_, from) => {
  const folder = createFolder();
  writeFileSync(join(folder, 'it'), 'mine');
  expect(await removeIt(folder, from)).toBe('kept');
  expect(readdirSync(folder)).toEqual(['it']);
  expect(readFileSync(join(folder, 'it'), 'utf8')).toBe('mine');
});

it('keeps a link whose target has just been changed', async () => {
  const folder = createFolder();
  symlinkSync('mine', join(folder, 'it'));
  expect(await removeIt(folder, { kind: 'link', target: 'other' })).toBe('kept');
  expect(readdirSync(folder)).toEqual(['it']);
});

it('removes a link, a folder and a large file that have not been changed', async () => {
  const folder = createFolder();
  symlinkSync('other', join(folder, 'it'));
  expect(await removeIt(folder, { kind: 'link', target: 'other' })).toBe('removed');
  mkdirSync(join(folder, 'it'));
  expect(await removeIt(folder, { kind: 'directory', mode: 0o755 })).toBe('removed');
  writeFileSync(join(folder, 'it'), 'large');
  expect(await removeIt(folder, await stateOfLargeFile(folder))).toBe('removed');
  expect(readdirSync(folder)).toEqual([]);
});
