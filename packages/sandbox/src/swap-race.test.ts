import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { removeConfined } from './confined-change.ts';
import { listConfinedDirectory } from './confined-look.ts';
import { readConfinedFile } from './confined-read.ts';
import { writeConfinedFile } from './confined-write.ts';
import { makeRoot } from './fixtures/temporary-directory.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const durationMs = isLong ? 10_000 : 1_500;

test.runIf(process.platform === 'linux')(
  'while a directory is swapped for a link to the outside, nothing outside is read, listed, written or removed',
  { timeout: durationMs + 20_000 },
  async () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/file'), 'inside');
    writeFileSync(join(outside, 'file'), 'secret');
    writeFileSync(join(outside, 'victim'), 'kept');
    const state = new SharedArrayBuffer(8);
    const [stop, swaps] = [0, 1];
    const shared = new Int32Array(state);
    const attacker = new Worker(new URL('./fixtures/swap-attacker.ts', import.meta.url), {
      workerData: { root, outside, state },
    });
    onTestFinished(() => void Atomics.store(shared, stop, 1));
    const ended = once(attacker, 'exit');
    await once(attacker, 'message');

    const reads = { inside: 0, refused: 0 };
    let written = 0;
    const until = performance.now() + durationMs;
    const isTold = (): boolean => Math.min(reads.inside, reads.refused, written, Atomics.load(shared, swaps) - 100) > 0;
    // A busy machine may need longer until all has happened at least once.
    while (performance.now() < until || (!isTold() && performance.now() < until + 15_000)) {
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
    Atomics.store(shared, stop, 1);
    await ended;

    expect(readdirSync(outside).sort()).toEqual(['file', 'victim']);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('secret');
    // The race was really run: the way was open at times and barred at others.
    expect(Atomics.load(shared, swaps)).toBeGreaterThan(100);
    expect(reads.inside).toBeGreaterThan(0);
    expect(reads.refused).toBeGreaterThan(0);
    expect(written).toBeGreaterThan(0);
  },
);
