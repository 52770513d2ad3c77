// Runs the official conformance suite against our server and our client: pnpm conformance [server|client] [--json]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readRequirements } from './requirements.ts';
import { runSuite, type ScenarioOutcome } from './run-suite.ts';
import { serveFixtures } from './serve-fixtures.ts';

/** One of the four tables. */
interface Table {
  readonly side: 'server' | 'client';
  readonly revision: string;
  readonly scored: { readonly passed: number; readonly of: number };
  readonly outcomes: readonly (ScenarioOutcome & { readonly isScored: boolean })[];
}

const revisions = ['2025-11-25', '2026-07-28'];
/** Scenarios of extensions, which no revision lists. They run with the newest revision. */
const extensions: Readonly<Record<Table['side'], readonly string[]>> = {
  server: ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'],
  client: [
    'auth/client-credentials-basic',
    'auth/client-credentials-jwt',
    'auth/enterprise-managed-authorization',
    'auth/dpop',
    'auth/dpop-nonce',
    'auth/wif-jwt-bearer',
    'sep-2640-client-no-prefetch',
    'sep-2640-client-verify-digest',
    'sep-2640-client-verify-frontmatter',
    'sep-2640-client-verify-size',
  ],
};
const client = fileURLToPath(new URL('client.ts', import.meta.url));

async function runServer(revision: string): Promise<readonly ScenarioOutcome[]> {
  const server = await serveFixtures();
  try {
    const { url = '' } = await server.ready;
    const to = ['server', '--url', url];
    const outcomes = await runSuite([...to, '--requirements', revision], 600_000);
    const known = new Set(outcomes.map(({ scenario }) => scenario));
    const more = extensionsOf('server', revision).filter((scenario) => !known.has(scenario));
    return [...outcomes, ...(await runScenarios(to, more, revision))];
  } finally {
    await server.close();
  }
}

function runClient(revision: string): Promise<readonly ScenarioOutcome[]> {
  const { client: scored, not_scored: others } = readRequirements(revision);
  const unscored = others.flatMap(({ scenario, leg }) => (leg === 'client' ? [scenario] : []));
  const scenarios = new Set([...scored, ...unscored, ...extensionsOf('client', revision)]);
  const command = `${process.execPath} --conditions=@haft/source ${client}`;
  return runScenarios(['client', '--command', command, '--timeout', '60000'], [...scenarios], revision);
}

function extensionsOf(side: Table['side'], revision: string): readonly string[] {
  return revision === revisions.at(-1) ? extensions[side] : [];
}

/** Runs scenarios, as many at once as there are processors. The suite would start all clients at once. */
async function runScenarios(
  to: readonly string[],
  scenarios: readonly string[],
  revision: string,
): Promise<readonly ScenarioOutcome[]> {
  const outcomes: ScenarioOutcome[] = [];
  const waiting = [...scenarios];
  const work = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift())
      outcomes.push(
        ...(await runSuite([...to, '--scenario', scenario, '--spec-version', revision, '--force'], 120_000)),
      );
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return outcomes.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1));
}

async function makeTable(side: Table['side'], revision: string): Promise<Table> {
  const ran = await (side === 'server' ? runServer(revision) : runClient(revision));
  const scored = new Set(readRequirements(revision)[side]);
  const outcomes = ran.map((outcome) => ({ ...outcome, isScored: scored.has(outcome.scenario) }));
  const passed = outcomes.filter(({ isScored, failed, passed: good }) => isScored && failed.length === 0 && good > 0);
  return { side, revision, scored: { passed: passed.length, of: scored.size }, outcomes };
}

function show({ side, revision, scored, outcomes }: Table): string {
  const lines = outcomes
    .toSorted((a, b) => Number(b.isScored) - Number(a.isScored))
    .map(({ scenario, passed, failed, isScored }) => {
      const what = failed.length === 0 ? (passed === 0 ? 'nothing checked' : 'passed') : 'FAILED';
      const why = failed.map(({ check, message }) => `\n      ${check}: ${message.slice(0, 200)}`).join('');
      return `  ${isScored ? 'scored  ' : 'unscored'} ${scenario.padEnd(52)} ${what} (${passed} of ${passed + failed.length})${why}`;
    });
  return [`${side}, ${revision}: ${scored.passed} of ${scored.of} scored scenarios`, ...lines].join('\n');
}

const { version } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'), 'utf8'),
) as { readonly version: string };
const given = process.argv.slice(2);
const sides = (['server', 'client'] as const).filter((side) => given.includes(side));
const tables: Table[] = [];
for (const side of sides.length === 0 ? (['server', 'client'] as const) : sides)
  for (const revision of revisions) {
    const table = await makeTable(side, revision);
    tables.push(table);
    if (!given.includes('--json')) process.stdout.write(`${show(table)}\n\n`);
  }
if (given.includes('--json')) process.stdout.write(`${JSON.stringify({ suite: version, tables }, undefined, 2)}\n`);
else
  process.stdout.write(
    `@modelcontextprotocol/conformance ${version}: ${tables
      .map(({ side, revision, scored }) => `${side} ${revision} ${scored.passed}/${scored.of}`)
      .join(', ')}\n`,
  );
process.exitCode = tables.every(({ scored }) => scored.passed === scored.of) ? 0 : 1;
