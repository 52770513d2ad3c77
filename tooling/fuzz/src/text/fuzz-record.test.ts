import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { beginRecord, readRecord, totalOf, writeRecord } from './fuzz-record.ts';
import { runShares } from './run-shares.ts';

describe('the record of a run', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'haft-record-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('returns the written values, and undefined if the file is missing', () => {
    const file = join(folder, 'run.json');
    expect(readRecord(file)).toBe(undefined);
    const record = beginRecord({ seed: 's', count: 10, jobs: 2 });
    writeRecord(file, record);
    expect(readRecord(file)).toEqual(record);
    writeFileSync(file, '[1]');
    expect(() => readRecord(file)).toThrow('is not the record of a run');
  });

  it('continues a run with new texts', async () => {
    const record = beginRecord({ seed: 'test', count: 600, jobs: 1 });
    const ending = new AbortController();
    const run = (deadline: number): Promise<void> =>
      runShares(record, { deadline, signal: ending.signal, onFailure: () => {} });
    await run(0);
    expect(totalOf(record)).toEqual({ done: 0, full: 0 });
    const [share] = record.shares;
    Object.assign(share ?? {}, { done: 400, attempts: 1 });
    await run(Number.MAX_SAFE_INTEGER);
    expect(record.shares).toMatchObject([{ done: 600, attempts: 2 }]);
    expect(record.failures).toEqual([]);
    expect(record.seconds).toBeGreaterThan(0);
  }, 60_000);
});
