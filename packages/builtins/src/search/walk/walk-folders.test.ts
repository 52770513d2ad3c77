import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { afterEach, describe, expect, it } from 'vitest';
import { createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';
import { createWalkReport, walkFolders, type WalkOptions, type WalkReport } from './walk-folders.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
/** A busy machine needs minutes to create and remove a million files. */
const maxMs = isLong ? 1_800_000 : 300_000;
let ground: Ground | undefined;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => {
  ground?.remove();
  ground = undefined;
}, maxMs);

const { signal } = new AbortController();

async function walk(
  root: string,
  report: WalkReport = createWalkReport(),
  options?: WalkOptions,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { below, files } of walkFolders([root], root, report, signal, options))
    found.push(...files.map((name) => below + name));
  return found;
}

/** Returns the longest processor time between two turns of the event loop while something runs, in milliseconds. */
async function maxTurnMs(run: () => Promise<unknown>): Promise<number> {
  let most = 0;
  let last = process.cpuUsage();
  const ticking = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    most = Math.max(most, (user + system) / 1_000);
    last = process.cpuUsage();
  }, 1);
  await run();
  clearInterval(ticking);
  return most;
}

describe('walkFolders', () => {
  it('yields the files of each folder before its subfolders, sorted by name', async () => {
    const { folder } = start({ files: { 'b/z': '', 'b/a/x': '', 'a.txt': '', 'c.txt': '', 'a/y': '', B: '' } });
    expect(await walk(folder)).toEqual(['B', 'a.txt', 'c.txt', 'a/y', 'b/z', 'b/a/x']);
  });

  it('walks trees of any depth with few open folders', async () => {
    const deep = Array.from({ length: 150 }, (_, index) => `d${index}`).join('/');
    const { folder } = start({ files: { [`${deep}/end`]: '', 'd0/d1/beside': '' } });
    expect(await walk(folder)).toEqual(['d0/d1/beside', `${deep}/end`]);
  });

  it('does not follow a link that has replaced a folder', async () => {
    const { folder, outside } = start({ files: { 'a/1': '', 'b/2': '' } });
    writeFileSync(join(outside, 'secret'), '');
    const report = createWalkReport();
    const found: string[] = [];
    for await (const { below, files } of walkFolders([folder], folder, report, signal)) {
      found.push(...files.map((name) => below + name));
      if (below !== 'a/') continue;
      renameSync(join(folder, 'b'), join(folder, 'c'));
      symlinkSync(outside, join(folder, 'b'));
    }
    expect(found).toEqual(['a/1']);
    expect(report.unreadable).toMatchObject([{ path: join(folder, 'b'), failure: { code: 'TARGET_CHANGED' } }]);
  });

  it('opens no file through a folder that was moved out of the root', async () => {
    const { folder, outside } = start({ files: { 'a/1': 'x' } });
    for await (const { below, open } of walkFolders([folder], folder, createWalkReport(), signal)) {
      if (below !== 'a/') continue;
      renameSync(join(folder, 'a'), join(outside, 'a'));
      expect(open.open(['1'])).toMatchObject([{ ok: false, code: 'OUTSIDE_ROOTS' }]);
    }
  });

  it('closes all open folders when the caller stops early', async () => {
    const { folder } = start({ files: { 'a/b/c/1': '', 'a/b/d/2': '' } });
    for (let time = 0; time < 3_000; time += 1)
      for await (const { below } of walkFolders([folder], folder, createWalkReport(), signal))
        if (below === 'a/b/') break;
  });

  it('reads .ignore and .rgignore, which take precedence over .gitignore', async () => {
    const { folder } = start({
      files: {
        '.gitignore': '*.log\n',
        '.ignore': '!keep.log\n*.tmp\n',
        '.rgignore': '!keep.tmp\n',
        'a.log': '',
        'keep.log': '',
        'sub/.gitignore': 'keep.log',
        'sub/keep.log': '',
        'sub/a.tmp': '',
        'sub/keep.tmp': '',
      },
    });
    const report = createWalkReport();
    expect(await walk(folder, report)).toEqual([
      '.gitignore',
      '.ignore',
      '.rgignore',
      'keep.log',
      'sub/.gitignore',
      'sub/keep.log',
      'sub/keep.tmp',
    ]);
    expect(report.ignoredEntries.map(({ below, name }) => below + name)).toEqual(['a.log', 'sub/a.tmp']);
    expect(await walk(folder, createWalkReport(), { noIgnore: true })).toHaveLength(9);
  });

  it('does not apply the rules of a repository to a repository inside it', async () => {
    const { folder } = start({
      files: {
        '.git/HEAD': '',
        '.gitignore': '*.log',
        'in/.git/HEAD': '',
        'in/a.log': '',
        'in/.git/info/exclude': 'b.*',
        'in/b.txt': '',
        'c.log': '',
      },
    });
    expect(await walk(folder)).toEqual(['.gitignore', 'in/a.log']);
  });

  it(
    'yields to other work in a very large folder, and stops at the maximum number of entries',
    async () => {
      const { folder } = start();
      mkdirSync(join(folder, 'many'));
      const entries = isLong ? 1_000_000 : 20_000;
      for (let index = 0; index < entries; index += 1) writeFileSync(join(folder, 'many', String(index)), '');
      await walk(folder);
      const report = createWalkReport();
      const memory = process.memoryUsage().rss;
      const found = await walk(folder, report);
      expect(found).toEqual(found.toSorted());
      expect(found.length).toBeGreaterThan(Math.min(entries, 95_000) - 1);
      expect(found.length).toBeLessThanOrEqual(100_000);
      expect(report.cut).toEqual(entries > 100_000 ? [join(folder, 'many')] : []);
      expect(process.memoryUsage().rss - memory).toBeLessThan(128 * 1_048_576);
      // Measures processor time between two turns, which does not depend on how busy the machine is. The target is 10
      // ms; garbage collection comes on top, but not in every walk.
      let best = Infinity;
      for (let walks = 0; walks < 4 && best >= 50; walks += 1)
        best = Math.min(best, await maxTurnMs(() => walk(folder)));
      expect(best).toBeLessThan(50);
    },
    maxMs,
  );

  it('takes time in proportion to the number of entries', async () => {
    const { folder } = start();
    const make = (size: number): string => {
      const root = join(folder, String(size));
      for (let index = 0; index < size; index += 1) {
        if (index % 20 === 0) mkdirSync(join(root, String(index)), { recursive: true });
        writeFileSync(join(root, String(index - (index % 20)), `${index}.txt`), '');
      }
      return root;
    };
    expect(await growthOf(make, (root) => walk(root), 1_000)).toBeLessThan(linearGrowth);
  }, 60_000);
});
