import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineTool } from '@haft/core';
import { describe, expect, it } from 'vitest';
import { createJournalFixture } from '../fixtures/journal-fixture.ts';

describe('an undo of changes whose author is uncertain', () => {
  it('marks the paths that no call declared, also after a restart, and can be undone itself', async () => {
    const first = await createJournalFixture({ 'notes.md': 'notes\n' });
    await first.act(() => {
      first.put('made.txt', 'by the command\n');
      // The user works in the folder while the command runs.
      first.put('mine.txt', 'own\n');
      first.put('notes.md', 'notes\nmy edit\n');
    });
    const fixture = await first.reopen();
    const { journal } = fixture;
    expect(journal.changes({ id: 'j1' }).map(({ isInferred }) => isInferred)).toEqual([true, true, true]);
    const { changes } = await journal.previewUndo({ id: 'j1' });
    expect(changes.map(({ op, path, isInferred }) => ({ op, path, isInferred }))).toEqual([
      { op: 'delete', path: fixture.path('made.txt'), isInferred: true },
      { op: 'delete', path: fixture.path('mine.txt'), isInferred: true },
      { op: 'modify', path: fixture.path('notes.md'), isInferred: true },
    ]);
    const undone = await journal.undo({ id: 'j1' });
    expect(undone.ok && undone.changes.some(({ isInferred }) => isInferred)).toBe(false);
    expect(await journal.undo({ id: undone.ok ? undone.id : '' })).toMatchObject({ ok: true });
    expect(readFileSync(fixture.path('mine.txt'), 'utf8')).toBe('own\n');
    expect(readFileSync(fixture.path('notes.md'), 'utf8')).toBe('notes\nmy edit\n');
  });

  it('does not mark a declared file and the folders created for it, but marks files in a declared folder', async () => {
    const fixture = await createJournalFixture();
    const save = (declared: string, name: string): Promise<unknown> =>
      fixture.call(
        defineTool({
          name: 'save',
          description: 'Saves a file.',
          footprint: (_, { cwd }) => ({ reads: [], writes: [`file:${join(cwd, declared)}`] }),
          execute: () => {
            mkdirSync(dirname(fixture.path(name)), { recursive: true });
            fixture.put(name, 'saved');
            return 'saved';
          },
        }),
      );
    const lastMarks = (): readonly unknown[] | undefined =>
      fixture.journal
        .calls()
        .at(-1)
        ?.changes.map(({ path, isInferred }) => [relative(fixture.folder, path), isInferred]);
    await save('new/a.txt', 'new/a.txt');
    expect(lastMarks()).toEqual([
      ['new', undefined],
      ['new/a.txt', undefined],
    ]);
    await save('new', 'new/b.txt');
    expect(lastMarks()).toEqual([['new/b.txt', true]]);
  });

  it('keeps a file that the undo could not bring back', async () => {
    const fixture = await createJournalFixture({}, { maxFileBytes: 8 });
    await fixture.act(() => fixture.put('video.bin', 'a long recording'));
    expect(await fixture.journal.undo({ id: 'j1' })).toMatchObject({
      code: 'UNDO_CONFLICT',
      conflicts: [{ path: fixture.path('video.bin'), reason: 'not-kept' }],
    });
    expect(readFileSync(fixture.path('video.bin'), 'utf8')).toBe('a long recording');
  });

  it('keeps a created file that was removed and created again, even with the same content', async () => {
    const fixture = await createJournalFixture();
    const { journal } = fixture;
    await fixture.act(() => fixture.put('out.txt', 'hello\n'));
    rmSync(fixture.path('out.txt'));
    await journal.refresh();
    fixture.put('out.txt', 'hello\n');
    expect(await journal.undo({ id: 'j1' })).toMatchObject({
      code: 'UNDO_CONFLICT',
      conflicts: [{ path: fixture.path('out.txt'), reason: 'changed-since' }],
    });
    expect(readFileSync(fixture.path('out.txt'), 'utf8')).toBe('hello\n');
  });
});
