import { readFileSync } from 'node:fs';
import { renderForModel } from '@haft/core';
import { createTimeoutSignal, runProcess, truncateOutput } from '@haft/sandbox';
import { expect } from 'vitest';
import { codeOf, createGround, makeFolder, type Ground } from '../ground.ts';
import type { Shown } from '../walk-features.ts';

async function readGround(text: string): Promise<Ground> {
  const ground = createGround({ files: { 'a.txt': text } });
  await ground.call('read', { path: 'a.txt' });
  return ground;
}

/** Returns whether a process is running. A zombie is not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The tools of dskcode, and the functions below them. */
export const tools: Readonly<Record<string, Shown>> = {
  D28: [
    'long output is cut, and the omitted part is counted',
    () => {
      const cut = truncateOutput(`first\n${'x'.repeat(60_000)}\nlast`, { maxBytes: 50_000, keep: 'head' });
      expect(cut).toMatchObject({ truncated: true, totalLines: 3 });
      expect([cut.text.startsWith('first'), cut.omittedBytes > 9_000]).toEqual([true, true]);
      expect(truncateOutput('first\nlast').truncated).toBe(false);
    },
  ],
  D29: [
    'a deadline and an external signal become one signal, which reports the cause',
    () => {
      const outside = new AbortController();
      const [cancelled, ended] = [
        createTimeoutSignal(outside.signal, 60_000),
        createTimeoutSignal(AbortSignal.abort(), 60_000),
      ];
      outside.abort(new Error('enough'));
      expect([cancelled.signal.aborted, cancelled.timedOut, ended.signal.aborted]).toEqual([true, false, true]);
      cancelled.dispose();
      ended.dispose();
    },
  ],
  D30: [
    'a command and its descendants end at the time limit, and their output is kept',
    async () => {
      const command = '(trap "" TERM; sleep 30) & echo "$!"; sleep 30';
      const run = await runProcess({ command, shell: true, cwd: makeFolder(), timeoutMs: 200, killGraceMs: 50 });
      const child = Number(run.output.text.trim());
      expect([run.timedOut, run.survivors, child > 0]).toEqual([true, [], true]);
      expect(isAlive(child)).toBe(false);
    },
  ],
  D33: [
    'read numbers lines, accepts a first and a last line, and reports how many remain',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'one\ntwo\nthree\nfour\n' } });
      const said = await ground.say('read', { path: 'a.txt', startLine: 2, endLine: 3 });
      expect(said).toMatch(/^2→two\n3→three\n[^]*offset=4/);
    },
  ],
  D34: [
    'write reports whether it created or changed a file, and by how much',
    async () => {
      const ground = await readGround('one\n');
      const [changed, made] = [
        await ground.call('write', { path: 'a.txt', content: 'one\ntwo\n' }),
        await ground.call('write', { path: 'd/b.txt', content: 'x\n' }),
      ];
      expect(changed).toMatchObject({ effects: [{ op: 'modify' }], diff: { additions: 1, deletions: 0 } });
      expect(made).toMatchObject({ effects: [{ op: 'create' }], diff: { existedBefore: false } });
    },
  ],
  D35: [
    'edit requires exactly one match, keeps line endings, and counts overlapping matches',
    async () => {
      const ground = await readGround('one\r\naaa\r\n');
      expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'aa', new_text: 'b' }))).toBe(
        'TEXT_MULTIPLE_MATCHES',
      );
      const edited = await ground.call('edit', { path: 'a.txt', old_text: 'one\naaa', new_text: 'two\nbbb' });
      expect(ground.text('a.txt')).toBe('two\r\nbbb\r\n');
      expect(edited.summary).toContain('(+2 -2)');
    },
  ],
  D36: [
    'several edits are applied all or none, the failing one is named, and an empty text is rejected',
    async () => {
      const ground = await readGround('one\ntwo\n');
      const edit = (edits: readonly object[]): Promise<string> => ground.say('multi_edit', { path: 'a.txt', edits });
      expect(
        await edit([
          { oldText: 'one', newText: '1' },
          { oldText: 'gone', newText: '2' },
        ]),
      ).toContain('edits[1]');
      expect(await edit([{ oldText: '', newText: '-', replaceAll: true }])).toContain('INVALID_ARGS');
      expect(ground.text('a.txt')).toBe('one\ntwo\n');
      await edit([
        { oldText: 'one', newText: '1' },
        { oldText: 'two', newText: '2' },
      ]);
      expect(ground.text('a.txt')).toBe('1\n2\n');
    },
  ],
  D37: [
    'a range is deleted by its two lines, which must be unique, and a single line too',
    async () => {
      const ground = await readGround('a\ndup\nb\ndup\nc\n');
      const cut = (start_anchor: string, end_anchor: string, inclusive = false): Promise<string> =>
        ground.call('delete_range', { path: 'a.txt', start_anchor, end_anchor, inclusive }).then(codeOf);
      expect([await cut('a', 'gone'), await cut('a', 'dup'), await cut('c', 'a')]).toEqual([
        'TEXT_NOT_FOUND',
        'TEXT_MULTIPLE_MATCHES',
        'INVALID_ARGS',
      ]);
      expect([await cut('b', 'b', true), ground.text('a.txt')]).toEqual(['ok', 'a\ndup\ndup\nc\n']);
    },
  ],
  D38: [
    'a failing command is a failure with its exit code and its output, and its time is limited',
    async () => {
      const ground = createGround();
      const failed = await ground.call('bash', { command: 'echo out; echo err >&2; exit 7' });
      expect(failed).toMatchObject({ ok: false, error: { code: 'EXIT_CODE', details: { exitCode: 7 } } });
      expect(renderForModel(failed)).toMatch(/out[^]*err/);
      expect(codeOf(await ground.call('bash', { command: 'true', timeout_ms: 10_000_000 }))).toBe('INVALID_ARGS');
    },
  ],
  D39: [
    'globs support braces and classes, skip ignored files, and sort their results',
    async () => {
      const ground = createGround({
        files: { '.gitignore': 'out/\n', 'out/x.ts': '', 'b.ts': '', 'a.js': '', 'c.md': '' },
      });
      const found = (await ground.call('glob', { pattern: '[a-c].{ts,js}', directory: '.' })).structured;
      expect(JSON.stringify(found)).toMatch(/a\.js.*b\.ts/);
      expect(JSON.stringify(found)).not.toMatch(/out|c\.md/);
    },
  ],
  D40: [
    'grep accepts a directory and a case option, shows no binary content, and stops a pattern that backtracks forever',
    async () => {
      const files = { 's/a.txt': `Tea\n${'a'.repeat(40)}!\n`, 's/b.bin': Uint8Array.of(84, 101, 97, 0, 1) };
      const ground = createGround({ files });
      const search = (more: object) => ground.call('grep', { directory: 's', ...more });
      expect((await search({ pattern: 'tea', case_sensitive: false })).structured).toHaveLength(1);
      expect((await search({ pattern: 'tea', case_sensitive: true })).structured).toHaveLength(0);
      expect(codeOf(await search({ pattern: '(' }))).toBe('INVALID_PATTERN');
    },
  ],
  D41: [
    'ls marks folders, and shows hidden entries on request',
    async () => {
      const ground = createGround({ files: { 'd/x': '', 'a.txt': 'abc', '.hidden': '' } });
      const [some, all] = [await ground.call('ls', {}), await ground.call('ls', { all: true })];
      expect(JSON.stringify(some.structured)).not.toContain('.hidden');
      expect(JSON.stringify(all.structured)).toContain('.hidden');
      expect(renderForModel(some)).toMatch(/d\/[^]*a\.txt/);
    },
  ],
};
