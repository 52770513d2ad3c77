import { readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConfined, type ConfinedFile } from '../files/confined-read.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { canRunOverFiles, runOverFiles } from './run-over-files.ts';

const { signal } = new AbortController();
const defaults = { signal, timeoutMs: 20_000 };

async function opened(root: string, name: string): Promise<ConfinedFile> {
  const file = await openConfined([root], join(root, name));
  if (!file.ok) throw new Error(file.message);
  return file;
}

describe.skipIf(!canRunOverFiles)('runOverFiles (skipped if open files cannot be passed on)', () => {
  test('passes only the open files and no environment', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(root, 'a'), 'inside');
    writeFileSync(join(outside, 's'), 'secret');
    const file = await opened(root, 'a');
    renameSync(join(root, 'a'), join(root, 'b'));
    symlinkSync(join(outside, 's'), join(root, 'a'));
    const read = await runOverFiles({ ...defaults, program: '/bin/cat', args: [], files: [file, file] });
    expect(read).toMatchObject({ ok: true, exitCode: 0, output: 'insideinside' });
    const result = await runOverFiles({
      ...defaults,
      program: '/bin/sh',
      args: ['-c', 'env; pwd; echo "$0"', '--'],
      files: [],
    });
    expect(result.ok && result.output).not.toMatch(/HOME|PATH=.*haft/);
    file.close();
  });

  test('maps names in the output to files', async () => {
    const { root } = makeRoot();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), name);
    const files = await Promise.all(['a', 'b', 'c'].map((name) => opened(root, name)));
    const run = await runOverFiles({ ...defaults, program: '/bin/grep', args: ['-l', '[ac]'], files });
    expect(
      run.ok &&
        run.output
          .trim()
          .split('\n')
          .map((name) => run.indexOf(name)),
    ).toEqual([0, 2]);
    expect(run.ok && run.indexOf('/etc/passwd')).toBeUndefined();
    for (const file of files) file.close();
    expect(await runOverFiles({ ...defaults, program: '/bin/cat', args: [], files })).toMatchObject({
      code: 'SPAWN_FAILED',
    });
  });

  test('ends the program at its limits', async () => {
    const run = (program: string, args: readonly string[], more: object = {}): ReturnType<typeof runOverFiles> =>
      runOverFiles({ ...defaults, program, args, files: [], ...more });
    expect(await run('/none', [])).toMatchObject({ code: 'SPAWN_FAILED' });
    expect(await run('/bin/sleep', ['60'], { timeoutMs: 50 })).toMatchObject({ code: 'SPAWN_FAILED' });
    expect(await run('/bin/cat', ['/dev/zero'], { maxOutputBytes: 1_000 })).toMatchObject({ code: 'SPAWN_FAILED' });
    const controller = new AbortController();
    const stopped = run('/bin/sleep', ['60'], { signal: controller.signal });
    controller.abort();
    expect(await stopped).toMatchObject({ code: 'SPAWN_FAILED' });
    expect(await run('/bin/false', [])).toMatchObject({ ok: true, exitCode: 1, output: '' });
  });

  test.skipIf(process.platform !== 'linux')('leaves no descriptor open (skipped without /proc)', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'x');
    const before = readdirSync('/proc/self/fd').length;
    const file = await opened(root, 'a');
    await runOverFiles({ ...defaults, program: '/bin/cat', args: [], files: [file] });
    file.close();
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before);
  });
});
