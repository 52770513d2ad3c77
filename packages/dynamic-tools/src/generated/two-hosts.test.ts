import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStore } from '@haft/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compiledFolder, programArguments } from '../fixtures/compiled-folder.ts';
import { crashSteps } from '../fixtures/crash-steps.ts';
import { openWorkbench, type Workbench } from '../fixtures/workbench.ts';

interface Cluster {
  url(database?: string): string;
  execute(statement: string): Promise<void>;
  remove(): Promise<void>;
}

/** The database server of the store's own tests. */
const server = (await import(new URL('../../../store/src/fixtures/postgres-cluster.ts', import.meta.url).href)) as {
  readonly createPostgresCluster: () => Promise<Cluster>;
  readonly postgresDirectory: string | undefined;
};
const isSkipped = server.postgresDirectory === undefined && process.env['HAFT_POSTGRES'] !== 'required';
if (isSkipped) console.warn('Two hosts on one PostgreSQL are not tested: there is none on this machine.');

let cluster: Cluster;
let place: string;
let databases = 0;
beforeAll(async () => {
  if (isSkipped) return;
  cluster = await server.createPostgresCluster();
  place = await realpath(await mkdtemp(join(tmpdir(), 'haft-hosts-')));
}, 60_000);
afterAll(async () => {
  if (isSkipped) return;
  await cluster.remove();
  await rm(place, { recursive: true });
}, 60_000);

const program = fileURLToPath(new URL('../fixtures/crash-program.ts', import.meta.url));
const isLong = process.env['HAFT_TEST_LONG'] !== undefined;

interface OtherHost {
  readonly child: ChildProcess;
  /** The time when the step was acknowledged, or undefined if the host died before. */
  readonly ended: Promise<{ readonly acknowledgedAt: number | undefined; readonly points: number }>;
}

/** Starts another host in a separate process, which begins a step and dies at a given point of it. */
function startHost(url: string, directory: string, step: string, point: number): OtherHost {
  const args = [...programArguments, program, url, directory, step, `${point}`];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<Awaited<OtherHost['ended']>>((resolve) => {
    child.once('close', () => {
      const [, at, points] = /^done (\d+) (\d+)$/m.exec(output) ?? [];
      resolve({ acknowledgedAt: at === undefined ? undefined : Number(at), points: Number(points ?? 0) });
    });
  });
  return { child, ended };
}

/** Starts a host in this process with its own connection, and records the content of its registry after each change. */
async function openHost(): Promise<{
  readonly workbench: Workbench;
  readonly url: string;
  readonly seen: { at: number; answer: string | undefined }[];
}> {
  const name = `hosts_${(databases += 1)}`;
  await cluster.execute(`create database ${name}`);
  const url = cluster.url(name);
  const store = await createStore({ url });
  const workbench = await openWorkbench({ directory: join(place, name), store });
  const seen: { at: number; answer: string | undefined }[] = [];
  workbench.registry.onChange(({ added, removed, replaced }) => {
    if (![...added, ...removed, ...replaced].includes('greet')) return;
    const description = workbench.registry.snapshot().get('greet')?.description;
    seen.push({ at: Date.now(), answer: description });
  });
  await workbench.generated.start();
  return { workbench, url, seen };
}

async function untilSeen(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.skipIf(isSkipped)('two hosts on one PostgreSQL', { timeout: 600_000 }, () => {
  it('see within a second the tools that the other has created, replaced and removed', async () => {
    const { workbench, url, seen } = await openHost();
    const other = join(place, 'other');
    const delays: number[] = [];
    for (const [step, isThere] of [
      ['made', true],
      ['replaced', true],
      ['removed', false],
      ['brought back', true],
    ] as const) {
      const before = seen.length;
      const { acknowledgedAt } = await startHost(url, other, step, 0).ended;
      await untilSeen(() => seen.length > before && workbench.registry.has('greet') === isThere);
      delays.push(seen.at(-1)!.at - acknowledgedAt!);
      if (isThere) expect(await workbench.text('greet', { who: 'Bo' })).toBe(step === 'made' ? 'Hello Bo' : 'Bye Bo');
    }
    expect(delays).toHaveLength(4);
    // The second-shortest delay counts, so that a busy machine is not mistaken for a slow store.
    expect(delays.toSorted((a, b) => a - b)[1]).toBeLessThan(1_000);
    await workbench.end();
  });

  it('never see an incomplete step of a crashed host', async () => {
    const { workbench, url } = await openHost();
    const step = crashSteps.find(({ name }) => name === 'replaced')!;
    for (const [tool, args] of step.setup) expect((await workbench.call(tool, args)).ok).toBe(true);
    const { points } = await startHost(url, join(place, 'counted'), 'replaced', 0).ended;
    await workbench.call('rollback_tool', { name: 'greet', version: 1 });
    const every = isLong ? 1 : Math.ceil(points / 2);
    for (let point = points; point > 0; point -= every) {
      const { acknowledgedAt } = await startHost(url, join(place, 'dying'), 'replaced', point).ended;
      expect(acknowledgedAt).toBeUndefined();
      await workbench.generated.restore();
      const kept = (await workbench.catalog.entry('greet'))!.entry;
      const source = (await workbench.catalog.source('greet', kept.version))!;
      const text = await workbench.text('greet', { who: 'Bo' });
      expect(['Hello Bo', 'Bye Bo']).toContain(text);
      expect(source.files['index.mts']).toContain(JSON.stringify(text.split(' ')[0]));
      expect(workbench.generated.tools()).toMatchObject([{ state: 'live', version: kept.version }]);
      await workbench.call('rollback_tool', { name: 'greet', version: 1 });
      expect(await workbench.text('greet', { who: 'Bo' })).toBe('Hello Bo');
    }
    await workbench.end();
  });
});
