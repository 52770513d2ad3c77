import { readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConfined, type ConfinedFile } from '../files/confined-read.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { canRunOverFiles, runOverFiles } from './run-over-files.ts';

const { signal } = new AbortController();
const usual = { signal, timeoutMs: 20_000 };

async function opened(root: string, name: string): Promise<ConfinedFile> {
  const file = await openConfined([root], join(root, name));
  if (!file.ok) throw new Error(file.message);
  return file;
}

describe.skipIf(!canRunOverFiles)('a program over open files (files can not be handed on here: skipped)', () => {
  test('reads what was open, and gets nothing else', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(root, 'a'), 'inside');
    writeFileSync(join(outside, 's'), 'secret');
    const file = await opened(root, 'a');
    renameSync(join(root, 'a'), join(root, 'b'));
    symlinkSync(join(outside, 's'), join(root, 'a'));
    const read = await runOverFiles({ ...usual, program: '/bin/cat', args: [], files: [file, file] });
    expect(read).toMatchObject({ ok: true, exitCode: 0, output: 'insideinside' });
    const told = await runOverFiles({
      ...usual,
      program: '/bin/sh',
      args: ['-c', 'env; pwd; echo "$0"', '--'],
      files: [],
    });
    expect(told.ok && told.output).not.toMatch(/HOME|PATH=.*haft/);
    file.close();
  });

  test('answers by names that stand for the files', async () => {
    const { root } = makeRoot();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), name);
    const files = await Promise.all(['a', 'b', 'c'].map((name) => opened(root, name)));
    const run = await runOverFiles({ ...usual, program: '/bin/grep', args: ['-l', '[ac]'], files });
    expect(
      run.ok &&
        run.output
          .trim()
          .split('\n')
          .map((name) => run.indexOf(name)),
    ).toEqual([0, 2]);
    expect(run.ok && run.indexOf('/etc/passwd')).toBeUndefined();
    for (const file of files) file.close();
    expect(await runOverFiles({ ...usual, program: '/bin/cat', args: [], files })).toMatchObject({
      code: 'SPAWN_FAILED',
    });
  });

  test('ends at its limits', async () => {
    const run = (program: string, args: readonly string[], more: object = {}): ReturnType<typeof runOverFiles> =>
      runOverFiles({ ...usual, program, args, files: [], ...more });
    expect(await run('/none', [])).toMatchObject({ code: 'SPAWN_FAILED' });
    expect(await run('/bin/sleep', ['60'], { timeoutMs: 50 })).toMatchObject({ code: 'SPAWN_FAILED' });
    expect(await run('/bin/cat', ['/dev/zero'], { maxOutputBytes: 1_000 })).toMatchObject({ code: 'SPAWN_FAILED' });
    const controller = new AbortController();
    const stopped = run('/bin/sleep', ['60'], { signal: controller.signal });
    controller.abort();
    expect(await stopped).toMatchObject({ code: 'SPAWN_FAILED' });
    expect(await run('/bin/false', [])).toMatchObject({ ok: true, exitCode: 1, output: '' });
  });

  test.skipIf(process.platform !== 'linux')('leaves nothing open (there is no /proc elsewhere: skipped)', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'x');
    const before = readdirSync('/proc/self/fd').length;
    const file = await opened(root, 'a');
    await runOverFiles({ ...usual, program: '/bin/cat', args: [], files: [file] });
    file.close();
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before);
  });
});
