import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeConfined } from './confined-change.ts';
import { listConfinedDirectory } from './confined-stat.ts';
import { readConfinedFile } from './confined-read.ts';
import { writeConfinedFile } from './confined-write.ts';
import { startSwapping } from '../fixtures/start-swapping.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const durationMs = isLong ? 10_000 : 1_500;

test.runIf(process.platform === 'linux')(
  'confined functions read, list, write and remove nothing outside while a directory is swapped for a link',
  { timeout: durationMs + 20_000 },
  async () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/file'), 'inside');
    writeFileSync(join(outside, 'file'), 'secret');
    writeFileSync(join(outside, 'victim'), 'kept');
    const attacker = await startSwapping(root, outside);

    const reads = { inside: 0, refused: 0 };
    let written = 0;
    const until = performance.now() + durationMs;
    const hasSeenAll = (): boolean => Math.min(reads.inside, reads.refused, written, attacker.swaps() - 100) > 0;
    // A busy machine may take longer until each event has happened at least once.
    while (performance.now() < until || (!hasSeenAll() && performance.now() < until + 15_000)) {
      const found = await readConfinedFile([root], join(root, 'd/file'));
      if (found.ok) {
        expect(Buffer.from(found.bytes).toString()).toBe('inside');
        reads.inside += 1;
      } else {
        expect(['OUTSIDE_ROOTS', 'NOT_FOUND', 'SYMLINK_LOOP']).toContain(found.code);
        reads.refused += 1;
      }
      const done = await writeConfinedFile([root], join(root, 'd/new/deep'), Buffer.from('x'));
      if (done.ok) written += 1;
      const listed = await listConfinedDirectory([root], join(root, 'd'));
      if (listed.ok) expect(listed.entries.map(({ name }) => name)).not.toContain('victim');
      expect(await removeConfined([root], join(root, 'd/victim'))).toMatchObject({ ok: false });
    }
    await attacker.stop();

    expect(readdirSync(outside).sort()).toEqual(['file', 'victim']);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('secret');
    // Proves that the race took place: the path was open at times and blocked at others.
    expect(attacker.swaps()).toBeGreaterThan(100);
    expect(reads.inside).toBeGreaterThan(0);
    expect(reads.refused).toBeGreaterThan(0);
    expect(written).toBeGreaterThan(0);
  },
);
