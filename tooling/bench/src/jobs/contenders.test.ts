import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadStoreFixtures, type PostgresCluster } from '../store/store-fixtures.ts';
import { contenders } from '@haft-tooling/peers/jobs/contenders';
import { measurePickup, measureTakeover } from './measure-delays.ts';

const { postgresDirectory, createPostgresCluster } = await loadStoreFixtures();
const isMissing = postgresDirectory === undefined && process.env['HAFT_POSTGRES'] !== 'required';

describe.skipIf(isMissing)('the benchmark of jobs (skipped without PostgreSQL)', { timeout: 120_000 }, () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await createPostgresCluster();
  }, 60_000);
  afterAll(() => cluster.remove());

  it.each(Object.keys(contenders))('reads the result of each job of %s', async (name) => {
    const contender = await contenders[name]!(cluster.url(), `bench_${Object.keys(contenders).indexOf(name)}`);
    expect(await contender.run([3, 1, 2])).toEqual([3, 1, 2]);
    expect(await contender.run([4])).toEqual([4]);
    await contender.close();
  });

  it('measures the delay until a worker of another process begins, and until another worker takes over', async () => {
    const delays = await measurePickup('haft', cluster.url(), 'bench_pickup', 3);
    expect(delays).toHaveLength(3);
    expect(delays.every((delay) => delay > 0)).toBe(true);
    expect(await measureTakeover(cluster.url(), 'bench_takeover', 300)).toBeGreaterThan(0);
  });
});
