import { describe, expect, it } from 'vitest';
import { readRequirements } from './requirements.ts';
import { runSuite } from './run-suite.ts';
import { serveFixtures } from './serve-fixtures.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;

describe('the official conformance suite', () => {
  it('finds the statelessness of our server in order', async () => {
    const server = serveFixtures();
    try {
      const { url } = await server.ready;
      const args = ['--scenario', 'server-stateless', '--spec-version', '2026-07-28'];
      const [outcome] = await runSuite(['server', '--url', url ?? '', ...args], 60_000);
      expect(outcome).toMatchObject({ scenario: 'server-stateless', failed: [] });
      expect(outcome!.passed).toBeGreaterThan(20);
    } finally {
      await server.close();
    }
  });

  it.skipIf(!isLong).each(['2025-11-25', '2026-07-28'])(
    'passes our server in everything that %s requires (a minute each: with HAFT_TEST_LONG)',
    { timeout: 600_000 },
    async (revision) => {
      const server = serveFixtures();
      try {
        const { url } = await server.ready;
        const outcomes = await runSuite(['server', '--url', url ?? '', '--requirements', revision], 500_000);
        const good = new Set(outcomes.filter(({ failed }) => failed.length === 0).map(({ scenario }) => scenario));
        expect(readRequirements(revision).server.filter((scenario) => !good.has(scenario))).toEqual([]);
      } finally {
        await server.close();
      }
    },
  );
});
