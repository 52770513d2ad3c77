import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkspace, type ToolContext } from '@haft/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { FilePlace } from '../file-errors.ts';
import { createGround, type Ground } from '../../fixtures/create-ground.ts';
import { readTextFile, type TextFile } from '../text-file.ts';
import { commitChanges } from './commit-changes.ts';
import type { PlannedChange } from './planned-change.ts';

let ground: Ground;
afterEach(() => ground.remove());

const place = (name: string): FilePlace => ({
  workspace: createWorkspace({ cwd: ground.folder }),
  path: join(ground.folder, name),
  shown: name,
});
const contextWith = (signal: { readonly aborted: boolean }): ToolContext => ({ signal }) as ToolContext;
const calm = contextWith({ aborted: false });
const format = { encoding: 'utf-8', bom: false } as const;

async function modify(name: string, after: string): Promise<PlannedChange> {
  const file = (await readTextFile(place(name), 'write')) as TextFile;
  return { kind: 'modify', place: place(name), file, after };
}

/** Creates a change that fails and calls a function at the moment it is tried. */
function failing(meanwhile: () => void): PlannedChange {
  const bad = place('../outside/x');
  return {
    kind: 'create',
    format,
    after: 'x',
    place: {
      ...bad,
      get path() {
        meanwhile();
        return bad.path;
      },
    },
  };
}

describe('changes of several files', () => {
  it('are undone when the call is cancelled between two of them', async () => {
    ground = createGround({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
    let looks = 0;
    const signal = {
      get aborted() {
        looks += 1;
        return looks > 2;
      },
    };
    const changes = [await modify('a.txt', 'A'), await modify('b.txt', 'B'), await modify('a.txt', 'AA')];
    expect(await commitChanges(changes, contextWith(signal))).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
    expect([ground.text('a.txt'), ground.text('b.txt')]).toEqual(['a', 'b']);
  });

  it('keep the writes of other programs and report the changes that could not be undone', async () => {
    ground = createGround({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
    const changes = [
      await modify('a.txt', 'A'),
      await modify('b.txt', 'B'),
      failing(() => writeFileSync(join(ground.folder, 'a.txt'), 'of somebody else')),
    ];
    expect(await commitChanges(changes, calm)).toMatchObject({
      ok: false,
      error: {
        code: 'OUTSIDE_WRITE_ROOTS',
        message: expect.stringContaining('earlier changes to a.txt could not be undone'),
        hint: expect.stringContaining('Read a.txt'),
        details: { notUndone: ['a.txt'] },
      },
    });
    expect([ground.text('a.txt'), ground.text('b.txt')]).toEqual(['of somebody else', 'b']);
  });

  it('restore a removed file only if no other file has taken its name', async () => {
    ground = createGround({ files: { 'a.txt': 'a' } });
    const file = (await readTextFile(place('a.txt'), 'write')) as TextFile;
    const changes: readonly PlannedChange[] = [
      { kind: 'delete', place: place('a.txt'), file },
      failing(() => writeFileSync(join(ground.folder, 'a.txt'), 'new')),
    ];
    expect(await commitChanges(changes, calm)).toMatchObject({
      ok: false,
      error: { details: { notUndone: ['a.txt'] } },
    });
    expect(ground.text('a.txt')).toBe('new');
    // Nothing is lost: the removed file still exists under its temporary name.
    const aside = readdirSync(ground.folder).find((name) => name.startsWith('.haft-')) ?? '';
    expect(readFileSync(join(ground.folder, aside), 'utf8')).toBe('a');
  });

  it('remove no file that another program changed after it was planned', async () => {
    ground = createGround({ files: { 'a.txt': 'a' } });
    const file = (await readTextFile(place('a.txt'), 'write')) as TextFile;
    ground.put('a.txt', 'other');
    expect(await commitChanges([{ kind: 'delete', place: place('a.txt'), file }], calm)).toMatchObject({
      ok: false,
      error: { code: 'CHANGED_ON_DISK' },
    });
    expect(readdirSync(ground.folder)).toEqual(['a.txt']);
    expect(ground.text('a.txt')).toBe('other');
  });
});
