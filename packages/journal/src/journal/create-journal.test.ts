import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createBuiltins } from '@haft/builtins';
import { createDispatcher, defineTool, ToolRegistry, type AnyTool, type FileEffect } from '@haft/core';
import { fileEffects } from '@haft/core/results';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createJournal } from './create-journal.ts';
import { createJournalFixture, shell, type JournalFixture } from '../fixtures/journal-fixture.ts';

const opsOf = (fixture: JournalFixture): readonly string[] =>
  fixture.journal
    .calls()
    .flatMap(({ changes }) => changes.map(({ op, path }) => `${op} ${path.slice(fixture.folder.length + 1)}`));

/** Creates a tool that declares the paths it writes and runs the body given by the test. */
function writer(names: readonly string[], body: () => unknown, effects: readonly FileEffect[] = []): AnyTool {
  return defineTool({
    name: 'writer',
    description: 'Writes.',
    input: { type: 'object' },
    kind: 'edit',
    footprint: (_, { cwd }) => ({ reads: [], writes: names.map((name) => `file:${join(cwd, name)}`) }),
    execute: async (_, { callId }) => {
      await body();
      return {
        ok: true,
        callId,
        name: 'writer',
        content: [],
        effects,
        metadata: {},
        advisories: [],
        startedAt: 0,
        durationMs: 0,
      };
    },
  });
}

describe('a journal', () => {
  it('finds the unreported changes of a call and adds them to the result', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' });
    await fixture.journal.refresh();
    const result = await fixture.act(
      () => {
        fixture.put('a.txt', 'ONE\n');
        rmSync(fixture.path('b.txt'));
        fixture.put('new.txt', 'x');
        renameSync(fixture.path('c.txt'), fixture.path('moved.txt'));
        chmodSync(fixture.path('a.txt'), 0o755);
      },
      { runId: 'r', turn: 1 },
    );
    expect(opsOf(fixture)).toEqual(['modify a.txt', 'delete b.txt', 'rename moved.txt', 'create new.txt']);
    expect(fileEffects(result).map(({ op }) => op)).toEqual(['modify', 'delete', 'delete', 'create', 'create']);
    expect(result.metadata['journal']).toEqual({ id: 'j1', changed: 5 });
    const [first, ...others] = fixture.journal.diff({ runId: 'r', turn: 1 });
    expect(first).toMatchObject({ path: 'a.txt', additions: 1, deletions: 1 });
    expect(first!.patch).toContain('old mode 100644\nnew mode 100755\n--- ');
    expect(others.map(({ path }) => path)).toEqual(['b.txt', 'moved.txt', 'new.txt']);
    expect(fixture.journal.diff({ runId: 'r', turn: 2 })).toEqual([]);
  });

  it('previews an undo with its conflicts and changes no file', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one', 'b.txt': 'two' });
    await fixture.act(() => {
      fixture.put('a.txt', '1');
      fixture.put('b.txt', '2');
    });
    fixture.put('b.txt', 'mine');
    const before = fixture.listTree();
    expect(await fixture.journal.previewUndo({ id: 'j1' })).toMatchObject({
      changes: [{ op: 'modify', path: fixture.path('a.txt') }],
      conflicts: [{ path: fixture.path('b.txt'), reason: 'changed-since' }],
    });
    expect(fixture.listTree()).toEqual(before);
    expect(await fixture.journal.previewUndo({ id: 'j9' })).toMatchObject({ code: 'UNKNOWN_CALL', changes: [] });
  });

  it('returns to the state before a call with `since`, also after earlier undos', async () => {
    const fixture = await createJournalFixture({ 'a.txt': '0' });
    await fixture.act(() => fixture.put('b.txt', 'stays'));
    await fixture.act(() => fixture.put('a.txt', '1'));
    await fixture.journal.undo({ id: 'j2' });
    await fixture.act(() => fixture.put('a.txt', '2'));
    await fixture.act(() => fixture.put('c.txt', 'new'));
    const [, second] = fixture.journal.calls();
    expect(await fixture.journal.previewUndo({ since: second!.id })).toMatchObject({
      changes: [{ op: 'modify' }, { op: 'delete' }],
      conflicts: [],
    });
    expect(await fixture.journal.undo({ since: second!.id })).toMatchObject({ ok: true });
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('0');
    expect(readFileSync(fixture.path('b.txt'), 'utf8')).toBe('stays');
    expect(fixture.journal.diff({ id: 'j1' })).toHaveLength(1);
  });

  it('undoes one turn and keeps the others', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one', 'b.txt': 'two' });
    await fixture.act(() => fixture.put('a.txt', '1'), { runId: 'r', turn: 1 });
    await fixture.act(() => fixture.put('b.txt', '2'), { runId: 'r', turn: 2 });
    expect(await fixture.journal.undo({ runId: 'r', turn: 1 })).toMatchObject({
      ok: true,
      changes: [{ op: 'modify' }],
    });
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('one');
    expect(readFileSync(fixture.path('b.txt'), 'utf8')).toBe('2');
    expect(await fixture.journal.undo({ runId: 'r', turn: 1 })).toMatchObject({ ok: false, code: 'NOTHING_TO_UNDO' });
    expect(await fixture.journal.undo({ runId: 'other' })).toMatchObject({
      ok: false,
      code: 'UNKNOWN_CALL',
      message: expect.stringContaining('journal.calls()'),
    });
  });

  it('detects a change that preserves size and modification time', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one' });
    const { atime, mtime } = statSync(fixture.path('a.txt'));
    await fixture.journal.refresh();
    await fixture.act(() => {
      fixture.put('a.txt', 'two');
      utimesSync(fixture.path('a.txt'), atime, mtime);
    });
    expect(opsOf(fixture)).toEqual(['modify a.txt']);
  });

  it('refuses to undo a file that the user has changed since, and loses nothing', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one', 'b.txt': 'two' });
    await fixture.act(() => {
      fixture.put('a.txt', 'by the call');
      fixture.put('b.txt', 'by the call');
      fixture.put('c.txt', 'by the call');
    });
    fixture.put('a.txt', 'by the person');
    const before = fixture.listTree();
    const refused = await fixture.journal.undo({ id: 'j1' });
    expect(refused).toMatchObject({
      ok: false,
      code: 'UNDO_CONFLICT',
      message: 'Nothing was undone: a.txt has been changed since, and that change would be lost.',
      conflicts: [
        {
          path: fixture.path('a.txt'),
          reason: 'changed-since',
          message: expect.stringContaining('a.txt has been changed since'),
        },
      ],
    });
    expect(fixture.listTree()).toEqual(before);
    expect(await fixture.journal.undo({ id: 'j1' }, { onConflict: 'skip' })).toMatchObject({
      ok: true,
      conflicts: [{}],
    });
    expect(fixture.listTree().map((line) => line.split(' ')[0])).toEqual(['a.txt', 'b.txt']);
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('by the person');
    expect(readFileSync(fixture.path('b.txt'), 'utf8')).toBe('two');
    expect(fixture.events.filter(({ type }) => type === 'outside')).toHaveLength(1);
  });

  it('refuses to undo a run if the user changed a file between two of its calls', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one' });
    await fixture.act(() => fixture.put('a.txt', 'two'), { runId: 'r' });
    fixture.put('a.txt', 'of the person');
    await fixture.act(() => appendFileSync(fixture.path('a.txt'), ', and more'), { runId: 'r' });
    expect(await fixture.journal.undo({ runId: 'r' })).toMatchObject({
      code: 'UNDO_CONFLICT',
      conflicts: [{ reason: 'changed-between' }],
    });
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('of the person, and more');
  });

  it('keeps a created folder that contains files of the user, and reports it', async () => {
    const fixture = await createJournalFixture();
    await fixture.act(() => {
      mkdirSync(fixture.path('made'));
      fixture.put('made/a.txt', 'a');
    });
    fixture.put('made/mine.txt', 'mine');
    expect(await fixture.journal.undo({ id: 'j1' })).toMatchObject({ ok: true, keptFolders: [fixture.path('made')] });
    expect(fixture.listTree().map((line) => line.split(' ')[0])).toEqual(['made/', 'made/mine.txt']);
  });

  it('scans only the paths that a tool declares, including the folders it creates', async () => {
    const fixture = await createJournalFixture({ 'other.txt': '' });
    await fixture.call(
      writer(['deep/er/a.txt'], () => {
        mkdirSync(fixture.path('deep/er'), { recursive: true });
        fixture.put('deep/er/a.txt', 'a');
        fixture.put('other.txt', 'changed in secret');
      }),
    );
    expect(opsOf(fixture)).toEqual(['create deep', 'create deep/er', 'create deep/er/a.txt']);
    expect(await fixture.journal.undo({ id: 'j1' })).toMatchObject({ ok: true });
    expect(fixture.listTree()).toHaveLength(1);
  });

  it('compares the report of a call with its actual changes', async () => {
    const fixture = await createJournalFixture({ 'a.txt': '', 'b.txt': '' });
    const effect = (path: string, op: FileEffect['op']): FileEffect => ({ kind: 'file', path, op });
    const both = writer(['a.txt', 'b.txt'], () => [fixture.put('a.txt', 'a'), fixture.put('b.txt', 'b')], [
      effect('a.txt', 'modify'),
    ]);
    expect((await fixture.call(both)).advisories).toEqual(['Besides the reported files, this call changed b.txt.']);
    const none = writer(['c.txt'], () => {}, [effect(fixture.path('c.txt'), 'create')]);
    expect((await fixture.call(none)).advisories).toEqual([
      expect.stringContaining('The reported change of c.txt did not happen'),
    ]);
    const honest = writer(['a.txt'], () => fixture.put('a.txt', 'A'), [effect('a.txt', 'modify')]);
    expect((await fixture.call(honest)).advisories).toEqual([]);
    expect(fixture.events.filter(({ type }) => type === 'mismatch')).toHaveLength(2);
  });

  it('ignores the declarations of tools added at run time', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one' });
    const reader = defineTool({
      name: 'reader',
      description: 'Says that it only reads.',
      input: { type: 'object' },
      kind: 'read',
      execute: () => fixture.put('a.txt', 'spoilt'),
    });
    const registry = new ToolRegistry();
    registry.registerWithProvider(reader, 'dynamic/plugin/reader');
    const source = createDispatcher({
      registry,
      workspace: fixture.workspace,
      middleware: [fixture.journal.middleware],
    });
    const { advisories } = await source.dispatch({ id: '1', name: 'reader', arguments: {} });
    expect(advisories).toEqual([expect.stringContaining('its tool is read-only: a.txt')]);
    expect(await fixture.journal.undo({ callId: '1' })).toMatchObject({ ok: true });
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('one');
    // A tool of the program itself is trusted.
    await fixture.call(reader);
    expect(fixture.journal.calls({ callId: '1' })).toHaveLength(1);
    expect(fixture.journal.calls().filter(({ tool }) => tool === 'reader')).toHaveLength(1);
  });

  it('excludes ignored files except those known before the rule was added', async () => {
    const fixture = await createJournalFixture({
      '.gitignore': 'out/\n',
      'out/old.js': 'old',
      'src/a.ts': 'a',
      'node_modules/x/i.js': '',
    });
    await fixture.act(() => fixture.put('out/old.js', 'new'));
    await fixture.act(() => {
      fixture.put('.gitignore', '*\n');
      fixture.put('src/a.ts', 'A');
    });
    await fixture.act(() => fixture.put('src/a.ts', 'AA'));
    expect(opsOf(fixture)).toEqual(['modify .gitignore', 'modify src/a.ts', 'modify src/a.ts']);
  });

  it('stops a scan on abort and does not report entries it had not reached as new', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'a', 'b/c.txt': 'c', 'd.txt': 'd' });
    await expect(fixture.journal.refresh({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    await fixture.act(() => fixture.put('b/c.txt', 'C'));
    expect(opsOf(fixture)).toEqual(['modify b/c.txt']);
  });

  it('does not report files as new because a changed ignore rule reveals them', async () => {
    const fixture = await createJournalFixture({ '.gitignore': 'out/\n*.log\n', 'out/old.js': 'old', 'a.log': 'log' });
    await fixture.journal.refresh();
    await fixture.act(() => fixture.put('.gitignore', ''));
    expect(opsOf(fixture)).toEqual(['modify .gitignore']);
    await fixture.act(() => fixture.put('out/old.js', 'new'));
    expect(opsOf(fixture)).toEqual(['modify .gitignore', 'modify out/old.js']);
    // The same test, with a restart of the journal in between.
    const again = await createJournalFixture({ '.gitignore': 'out/\n', 'out/old.js': 'old' });
    await again.journal.refresh();
    await again.journal.close();
    again.put('.gitignore', '');
    const later = await again.reopen();
    await later.act(() => later.put('b.txt', ''));
    expect(opsOf(later)).toEqual(['create b.txt']);
    expect(later.events.filter(({ type }) => type === 'outside')).toMatchObject([{ changes: [{ op: 'modify' }] }]);
  });

  it('survives a restart and does not read unchanged files again', async () => {
    const first = await createJournalFixture({ 'a.txt': 'one', 'b/c.txt': 'two' });
    await first.act(() => first.put('a.txt', 'ONE'), { runId: 'r' });
    const second = await first.reopen();
    expect(second.journal.calls({ runId: 'r' })).toMatchObject([
      { tool: 'shell', ok: true, changes: [{ op: 'modify' }] },
    ]);
    expect(await second.journal.undo({ runId: 'r' })).toMatchObject({ ok: true });
    expect(readFileSync(second.path('a.txt'), 'utf8')).toBe('one');
    expect(second.events.filter(({ type }) => type === 'outside')).toEqual([]);
  });

  it('attributes changes found after a crash to the interrupted call', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one' });
    // Simulates a crash: no end record, and the lock remains.
    void fixture.act(async () => {
      fixture.put('a.txt', 'half done');
      await new Promise(() => {});
    });
    await expect.poll(() => readFileSync(fixture.path('a.txt'), 'utf8')).toBe('half done');
    await expect(createJournal({ workspace: fixture.workspace, directory: fixture.directory })).rejects.toThrow(
      'is using this journal',
    );
    writeFileSync(join(fixture.directory, 'lock'), '999999999 gone');
    const journal = await createJournal({ workspace: fixture.workspace, directory: fixture.directory });
    expect(journal.calls()).toMatchObject([{ tool: 'shell', ok: false, changes: [{ op: 'modify' }] }]);
    expect(await journal.undo({ id: 'j1' })).toMatchObject({ ok: true });
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('one');
    await journal.close();
  });

  it('marks changes of a declared path that it finds after a crash, because the user may have made them', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one' });
    await fixture.journal.refresh();
    const { promise: isWritten, resolve } = Promise.withResolvers<void>();
    const crash = async (): Promise<void> => {
      fixture.put('a.txt', 'by the call');
      resolve();
      await new Promise(() => {});
    };
    void fixture.call(writer(['a.txt'], crash));
    await isWritten;
    fixture.put('a.txt', 'by the user');
    writeFileSync(join(fixture.directory, 'lock'), '999999999 gone');
    const options = { workspace: fixture.workspace, directory: fixture.directory };
    for (const start of ['first', 'second']) {
      const journal = await createJournal(options);
      expect([start, (await journal.previewUndo({ id: 'j1' })).changes]).toMatchObject([start, [{ isInferred: true }]]);
      await journal.close();
    }
  });

  it('reports a content that was too large to store, and refuses to undo it', async () => {
    const fixture = await createJournalFixture(
      { 'large.bin': 'x'.repeat(2_000), 'a.txt': 'a' },
      { maxFileBytes: 1_000 },
    );
    await fixture.journal.refresh();
    await fixture.act(() => {
      fixture.put('large.bin', 'y'.repeat(2_000));
      fixture.put('a.txt', 'A');
    });
    expect(await fixture.journal.undo({ id: 'j1' })).toMatchObject({
      code: 'UNDO_CONFLICT',
      conflicts: [{ path: fixture.path('large.bin'), reason: 'not-kept' }],
    });
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('A');
  });

  it('drops the oldest calls at the size limit, but keeps what undoing the newest needs', async () => {
    const fixture = await createJournalFixture({ 'a.txt': '' }, { maxStoreBytes: 60_000 });
    for (let count = 0; count < 30; count += 1) await fixture.act(() => fixture.put('a.txt', `${count}`.repeat(2_000)));
    const left = fixture.journal.calls();
    expect(left.length).toBeLessThan(30);
    expect(await fixture.journal.undo({ id: left.at(-1)!.id })).toMatchObject({ ok: true });
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('28'.repeat(2_000));
    const later = await fixture.reopen();
    expect(later.journal.calls().length).toBeLessThan(30);
  });

  it('never reads or writes through a link that leaves the workspace', async () => {
    const fixture = await createJournalFixture({ 'dir/a.txt': 'inside' });
    writeFileSync(join(fixture.outside, 'a.txt'), 'outside');
    await fixture.act(() => fixture.put('dir/a.txt', 'changed'));
    rmSync(fixture.path('dir'), { recursive: true });
    symlinkSync(fixture.outside, fixture.path('dir'));
    expect(await fixture.journal.undo({ id: 'j1' })).toMatchObject({ ok: false, code: 'UNDO_CONFLICT' });
    expect(await fixture.journal.undo({ id: 'j1' }, { onConflict: 'skip' })).toMatchObject({ ok: false });
    expect(readFileSync(join(fixture.outside, 'a.txt'), 'utf8')).toBe('outside');
  });

  it('excludes its own directory, even inside the workspace', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one' });
    const directory = fixture.path('kept');
    const journal = await createJournal({ workspace: fixture.workspace, directory });
    onTestFinished(() => journal.close());
    const source = createDispatcher({
      registry: [shell(() => fixture.put('a.txt', 'two'))],
      workspace: fixture.workspace,
      middleware: [journal.middleware],
    });
    await source.dispatch({ id: '1', name: 'shell', arguments: {} });
    expect(journal.changes({ callId: '1' }).map(({ path }) => path)).toEqual([fixture.path('a.txt')]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('attributes changes to nested calls, and undoes them with the outer call', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one', 'b.txt': 'two' });
    await fixture.act(
      async () => {
        fixture.put('b.txt', 'outer');
        await fixture.act(() => fixture.put('a.txt', 'inner'), { runId: 'inner' });
      },
      { runId: 'outer' },
    );
    expect(fixture.journal.changes({ runId: 'inner' })).toHaveLength(1);
    expect(await fixture.journal.undo({ runId: 'outer' })).toMatchObject({ ok: true, changes: [{}, {}] });
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('one');
  });

  it('undoes overlapping calls only together', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one', 'b.txt': 'two' });
    let arrived = 0;
    let meet = (): void => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    const change = (name: string) => (): Promise<unknown> => {
      fixture.put(name, 'changed');
      if ((arrived += 1) === 2) meet();
      return both;
    };
    await Promise.all([
      fixture.act(change('a.txt'), { runId: 'r', turn: 1 }),
      fixture.act(change('b.txt'), { runId: 'r', turn: 1 }),
    ]);
    const shared = fixture.journal.calls().filter(({ changes }) => changes.length > 0);
    expect(await fixture.journal.undo({ id: shared[0]!.id })).toMatchObject({
      conflicts: expect.arrayContaining([expect.objectContaining({ reason: 'shared' })]),
    });
    expect(await fixture.journal.undo({ runId: 'r', turn: 1 })).toMatchObject({ ok: true });
    expect(readFileSync(fixture.path('a.txt'), 'utf8') + readFileSync(fixture.path('b.txt'), 'utf8')).toBe('onetwo');
  });

  it('finds no mismatch in the reports of the built-in tools', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one\n' });
    const source = createDispatcher({
      registry: createBuiltins(),
      workspace: fixture.workspace,
      middleware: [fixture.journal.middleware],
    });
    const call = (name: string, args: object): ReturnType<typeof source.dispatch> =>
      source.dispatch({ id: name, name, arguments: args }, { runId: 'r' });
    await call('read', { path: 'a.txt' });
    await call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' });
    await call('write', { path: 'deep/b.txt', content: 'b' });
    const ran = await call('bash', { command: 'mv a.txt c.txt && ln -s c.txt link && rm -r deep' });
    expect(ran).toMatchObject({ ok: true, advisories: [] });
    expect(fixture.events.filter(({ type }) => type === 'mismatch' || type === 'problem')).toEqual([]);
    expect(fixture.journal.calls().map(({ tool }) => tool)).toEqual(['edit', 'write', 'bash']);
    expect(await fixture.journal.undo({ runId: 'r' })).toMatchObject({ ok: true });
    expect(fixture.listTree()).toEqual([`a.txt 644 ${Buffer.from('one\n').toString('base64')}`]);
  });

  it('runs a call even if it cannot record it, and reports that', async () => {
    const fixture = await createJournalFixture({ 'a.txt': 'one' });
    await fixture.journal.close();
    expect(await fixture.act(() => fixture.put('a.txt', 'two'))).toMatchObject({ ok: true });
    expect(fixture.events).toMatchObject([{ type: 'problem', message: expect.stringContaining('without a record') }]);
    await expect(fixture.journal.undo({ id: 'j1' })).rejects.toMatchObject({ code: 'JOURNAL_CLOSED' });
  });

  it('rejects invalid options', async () => {
    const workspace = { cwd: '/', writeRoots: [] };
    await expect(createJournal({ workspace, directory: 'here' })).rejects.toMatchObject({
      code: 'INVALID_JOURNAL_OPTION',
    });
    const misspelt = { workspace, directory: '/nowhere', maxCall: 1 };
    await expect(createJournal(misspelt)).rejects.toThrow('maxCall');
  });
});
