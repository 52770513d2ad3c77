import { describe, expect, it } from 'vitest';
import { makeFolder } from '@haft-tooling/measure';
import { haftTools, toolsets } from '@haft-tooling/peers/files/file-tools';
import { killWriters } from './kill-writers.ts';
import { raceLinks } from './race-links.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';

describe('the file tools', () => {
  it.each(toolsets.map((toolset) => [toolset.name, toolset] as const))(
    'write, read and edit with %s',
    async (_, toolset) => {
      using folder = makeFolder();
      const tools = await toolset.open(folder.path);
      await tools.write('a.txt', 'one\ntwo\n');
      expect(await tools.read('a.txt', 1)).toContain('one');
      await tools.edit('a.txt', 'two', '2');
      expect(await tools.read('a.txt')).toContain('2');
      await expect(tools.edit('a.txt', 'gone', 'x')).rejects.toThrow();
    },
  );

  it('never leave a torn file when they are killed during a write', { timeout: 600_000 }, async () => {
    const kills = isLong ? 200 : 3;
    expect(await killWriters(haftTools.name, kills)).toEqual({ kills, torn: 0 });
  });

  it.runIf(process.platform === 'linux')(
    'never access the outside when a folder is replaced by a link',
    { timeout: 60_000 },
    async () => {
      const outcome = await raceLinks(haftTools, isLong ? 10_000 : 700);
      expect(outcome).toMatchObject({ outsideReads: 0, outsideWrites: 0 });
      expect(Math.min(outcome.reads, outcome.swaps)).toBeGreaterThan(0);
    },
  );
});
