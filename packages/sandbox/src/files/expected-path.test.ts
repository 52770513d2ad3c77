import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeConfined, renameConfined } from './confined-change.ts';
import { listConfinedDirectory, statConfined } from './confined-stat.ts';
import { openConfined, readConfinedFile } from './confined-read.ts';
import { writeConfinedFile } from './confined-write.ts';
import { startSwapping } from '../fixtures/start-swapping.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const durationMs = isLong ? 10_000 : 700;

/** Creates a link to a file, a link to a directory, and two targets inside the same root. */
function makeLinks(): { readonly root: string; readonly swap: () => void } {
  const { root } = makeRoot();
  mkdirSync(join(root, 'open'));
  mkdirSync(join(root, 'closed'));
  writeFileSync(join(root, 'open/a'), 'open');
  writeFileSync(join(root, 'closed/a'), 'closed');
  const point = (to: string): void => {
    for (const name of ['file', 'folder']) rmSync(join(root, name), { force: true });
    symlinkSync(`${to}/a`, join(root, 'file'));
    symlinkSync(to, join(root, 'folder'));
  };
  point('open');
  return { root, swap: () => point('closed') };
}

describe('expectedPath', () => {
  test('allows a path that resolves to it', async () => {
    const { root } = makeLinks();
    const expectedPath = join(root, 'open/a');
    for (const path of ['file', 'folder/a', 'open/a']) {
      expect(await readConfinedFile([root], join(root, path), { expectedPath })).toMatchObject({
        ok: true,
        path: expectedPath,
      });
      expect(await statConfined([root], join(root, path), { expectedPath })).toMatchObject({ ok: true });
    }
    const written = await writeConfinedFile([root], join(root, 'folder/new'), Buffer.from('x'), {
      expectedPath: join(root, 'open/new'),
    });
    expect(written).toMatchObject({ ok: true, path: join(root, 'open/new') });
    expect(
      await listConfinedDirectory([root], join(root, 'folder'), { expectedPath: join(root, 'open') }),
    ).toMatchObject({ ok: true });
    expect(await writeConfinedFile([root], join(root, 'file'), Buffer.from('x'), { expectedPath })).toMatchObject({
      code: 'SYMLINK_REFUSED',
    });
  });

  test('refuses a path that now resolves to another one, and changes nothing', async () => {
    const { root, swap } = makeLinks();
    const expectedPath = join(root, 'open/a');
    swap();
    for (const path of ['file', 'folder/a']) {
      const target = join(root, path);
      for (const answer of [
        await readConfinedFile([root], target, { expectedPath }),
        await openConfined([root], target, { expectedPath }),
        await statConfined([root], target, { expectedPath }),
        await writeConfinedFile([root], target, Buffer.from('x'), { expectedPath }),
        await writeConfinedFile([root], target, Buffer.from('x'), { expectedPath, followLinks: true }),
      ])
        expect(answer).toMatchObject({ ok: false, code: 'TARGET_CHANGED', hint: expect.stringContaining('Repeat') });
    }
    const made = await writeConfinedFile([root], join(root, 'folder/deep/new'), Buffer.from('x'), {
      expectedPath: join(root, 'open/deep/new'),
    });
    expect(made).toMatchObject({ ok: false, code: 'TARGET_CHANGED' });
    expect(
      await listConfinedDirectory([root], join(root, 'folder'), { expectedPath: join(root, 'open') }),
    ).toMatchObject({ code: 'TARGET_CHANGED' });
    expect(readdirSync(join(root, 'closed'))).toEqual(['a']);
    expect(existsSync(join(root, 'open/deep'))).toBe(false);
  });

  test('prevents removing and moving a path that now resolves to another one, and moving to it', async () => {
    const { root, swap } = makeLinks();
    const at = (path: string): string => join(root, path);
    swap();
    const expectedPath = at('open/a');
    expect(await removeConfined([root], at('folder/a'), { expectedPath })).toMatchObject({ code: 'TARGET_CHANGED' });
    expect(await renameConfined([root], at('folder/a'), at('b'), { expectedPath })).toMatchObject({
      code: 'TARGET_CHANGED',
    });
    expect(await renameConfined([root], at('open/a'), at('folder/b'), { expectedTarget: at('open/b') })).toMatchObject({
      code: 'TARGET_CHANGED',
    });
    expect([readdirSync(at('closed')), readdirSync(at('open'))]).toEqual([['a'], ['a']]);
    expect(
      await renameConfined([root], at('folder/a'), at('folder/b'), {
        expectedPath: at('closed/a'),
        expectedTarget: at('closed/b'),
      }),
    ).toMatchObject({ ok: true, from: at('closed/a'), path: at('closed/b') });
    expect(await removeConfined([root], at('folder/b'), { expectedPath: at('closed/b') })).toMatchObject({ ok: true });
    expect(readdirSync(at('closed'))).toEqual([]);
  });
});

test.runIf(process.platform === 'linux')(
  'readConfinedFile with expectedPath reads only the approved file while its directory is swapped for a link',
  { timeout: durationMs + 20_000 },
  async () => {
    const { root, outside } = makeRoot();
    const roots = [dirname(root)];
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/file'), 'approved');
    writeFileSync(join(outside, 'file'), 'secret');
    const attacker = await startSwapping(root, outside);
    const seen = { approved: 0, refused: 0 };
    const until = performance.now() + durationMs;
    const hasSeenAll = (): boolean => Math.min(seen.approved, seen.refused, attacker.swaps() - 100) > 0;
    while (performance.now() < until || (!hasSeenAll() && performance.now() < until + 15_000)) {
      const found = await readConfinedFile(roots, join(root, 'd/file'), { expectedPath: join(root, 'd/file') });
      if (found.ok) expect(Buffer.from(found.bytes).toString()).toBe('approved');
      seen[found.ok ? 'approved' : 'refused'] += 1;
      await writeConfinedFile(roots, join(root, 'd/new'), Buffer.from('x'), { expectedPath: join(root, 'd/new') });
    }
    await attacker.stop();
    expect(readdirSync(outside)).toEqual(['file']);
    expect(hasSeenAll()).toBe(true);
  },
);
