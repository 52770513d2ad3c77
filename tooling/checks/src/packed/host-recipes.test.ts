import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listCodeBlocks } from '../code-blocks.ts';
import { readPublishedPackages, readRepositoryFile } from '../workspace.ts';
import { createConsumerProject } from './consumer-project.ts';
import { hostPrograms, toolsProgram } from './host-programs.ts';
import { packPackages, type PackedPackage } from './pack-packages.ts';
import { runCommand } from './run-command.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
const page = 'docs/scaling.md';

/** The code of the page by the name in its note, such as `ts no-run: DBOS: dbos/run-tool.ts`. */
const recipes = new Map(
  listCodeBlocks(readRepositoryFile(page)).flatMap(({ note, code }) => {
    const name = /: (\S+\.ts)$/.exec(note)?.[1];
    return name === undefined ? [] : [[name, code] as const];
  }),
);

/** A database server, from the tests of the store. */
interface Cluster {
  url(database?: string): string;
  execute(statement: string): Promise<void>;
  remove(): Promise<void>;
}

const versions = { pg: '8.23.1', 'pg-boss': '12.38.0' };
const hosts = [
  { name: 'DBOS', folder: 'dbos', packages: { '@dbos-inc/dbos-sdk': '5.3.0' }, kills: true },
  {
    name: 'Temporal',
    folder: 'temporal',
    packages: { '@temporalio/activity': '1.24.0', '@temporalio/testing': '1.24.0', '@temporalio/workflow': '1.24.0' },
    kills: true,
  },
  {
    name: 'the Workflow SDK',
    folder: 'workflow-sdk',
    packages: { workflow: '4.8.9', '@workflow/vitest': '4.0.25', vitest: '4.1.8' },
    kills: false,
  },
] as const;

it(`${page} has a recipe for each host`, () => {
  expect([...recipes.keys()].sort()).toEqual(hosts.map(({ folder }) => `${folder}/run-tool.ts`).sort());
});

// Each installs a system of its own from the registry, which takes minutes.
describe.skipIf(!isLong)('a recipe, installed from the registry', { timeout: 600_000 }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'haft-recipes-'));
  let packed: readonly PackedPackage[];
  let cluster: Cluster;
  beforeAll(async () => {
    const fixtures = new URL('../../../../packages/store/src/fixtures/postgres-cluster.ts', import.meta.url).href;
    cluster = await ((await import(fixtures)) as { createPostgresCluster(): Promise<Cluster> }).createPostgresCluster();
    const needed = ['core', 'jobs', 'store', 'schema', 'repair'].map((name) => `@haft/${name}`);
    packed = await packPackages(
      scratch,
      readPublishedPackages().filter(({ manifest }) => needed.includes(manifest.name)),
    );
  }, 300_000);
  afterAll(async () => {
    await cluster.remove();
    rmSync(scratch, { recursive: true, force: true });
  }, 120_000);

  it.each(hosts)(
    'of $name pays once although the call is interrupted and runs again',
    async ({ folder, packages, kills }) => {
      const { directory } = await createConsumerProject(join(scratch, folder), packed, { ...versions, ...packages });
      const files = {
        'tools.ts': toolsProgram,
        'run-tool.ts': recipes.get(`${folder}/run-tool.ts`)!,
        ...hostPrograms[folder],
      };
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, name)), { recursive: true });
        writeFileSync(join(directory, name), text);
      }
      await cluster.execute(`create database ${folder.replace('-', '_')}`);
      const bank = join(directory, 'bank');
      const run = async (dies: boolean): Promise<string> => {
        const args = kills ? ['main.ts'] : [join('node_modules', 'vitest', 'vitest.mjs'), 'run'];
        const environment = {
          BANK: bank,
          DATABASE_URL: cluster.url(folder.replace('-', '_')),
          ...(kills ? {} : { FAILS: 'yes' }),
          ...(dies ? { DIES: 'yes' } : {}),
        };
        return (await runCommand(process.execPath, args, { cwd: directory, environment })).stdout;
      };
      if (kills) await expect(run(true)).rejects.toThrow('was stopped');
      expect(await run(false)).toContain(kills ? 'result {"content"' : '1 passed');
      expect(readFileSync(bank, 'utf8').split('\n').filter(Boolean)).toHaveLength(1);
    },
  );
});
