import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStore } from '@haft/store';
import { describe, expect, it } from 'vitest';
import { compiledFolder, programArguments } from '../fixtures/compiled-folder.ts';
import { crashSteps, type CrashStep } from '../fixtures/crash-steps.ts';
import { watchFileChanges, watchStoreWrites } from '../fixtures/fault-points.ts';
import { greeting, openWorkbench, type Workbench } from '../fixtures/workbench.ts';
import { createCatalog } from '../index.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
/** Each crash point starts several programs, so the short form tests only the step with the most changes. */
const chosenSteps = crashSteps.filter(({ name }) => isLong || name === 'replaced');

/** Creates a folder with a store and tools in the initial state of a step. */
async function prepare({ setup }: CrashStep): Promise<{ readonly place: string; copy(): Promise<string> }> {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'haft-crash-')));
  const workbench = await open(join(place, 'base'));
  await workbench.generated.start();
  for (const [tool, args] of setup) expect((await workbench.call(tool, args)).ok).toBe(true);
  await workbench.stop();
  await workbench.store.close();
  let copies = 0;
  return {
    place,
    async copy() {
      const folder = join(place, `copy-${(copies += 1)}`);
      await cp(join(place, 'base'), folder, { recursive: true });
      return folder;
    },
  };
}

async function open(folder: string): Promise<Workbench> {
  return openWorkbench({
    directory: join(folder, 'tools'),
    store: await createStore({ url: `file:${join(folder, 'haft.db')}` }),
  });
}

/** Returns the state of `greet`. Registry and catalog must agree, and the tool must return what its source says. */
async function stateOf(workbench: Workbench): Promise<string | undefined> {
  const { found, unreadable } = await workbench.catalog.entries();
  expect(unreadable).toEqual([]);
  expect(workbench.registry.toolsByProvider('dynamic').map(({ name }) => name)).toEqual(
    found.map(({ entry }) => entry.name),
  );
  if (found.length === 0) return undefined;
  const { entry } = found[0]!;
  const source = await workbench.catalog.source('greet', entry.version);
  const text = await workbench.text('greet', { who: 'Bo' });
  expect(source?.files['index.mts']).toContain(JSON.stringify(text.split(' ')[0]));
  expect(workbench.generated.tools()).toMatchObject([{ state: 'live', reason: '' }]);
  return text;
}

/** After any crash, a new start of the program must find one of the two complete states and continue from it. */
async function restartIn(folder: string, step: CrashStep): Promise<string | undefined> {
  const workbench = await open(folder);
  const report = await workbench.generated.restore();
  expect({ ...report, restored: [] }).toEqual({ restored: [], shadowed: [], missing: [], changed: [], failed: [] });
  const state = await stateOf(workbench);
  expect([step.before, step.after]).toContain(state);
  expect((await workbench.call('new_tool', greeting('Again', { replace: true }))).ok).toBe(true);
  expect(await stateOf(workbench)).toBe('Again Bo');
  await workbench.stop();
  await workbench.store.close();
  return state;
}

const program = fileURLToPath(new URL('../fixtures/crash-program.ts', import.meta.url));

/** Runs the program that performs the step, and kills it at a point. */
async function runProgram(
  folder: string,
  step: CrashStep,
  point: number,
): Promise<{ readonly done: boolean; readonly points: number }> {
  const url = `file:${join(folder, 'haft.db')}`;
  const child = spawn(
    process.execPath,
    [...programArguments, program, url, join(folder, 'tools'), step.name, `${point}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder },
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  const [, points] = /^done \d+ (\d+)$/m.exec(output) ?? [];
  expect(point === 0 ? code : (code ?? signal)).toBe(
    points === undefined || point !== 0 ? (points === undefined ? 'SIGKILL' : code) : 0,
  );
  return { done: points !== undefined, points: Number(points ?? 0) };
}

describe.each(chosenSteps)('a tool that is $name', { timeout: 900_000 }, (step) => {
  it('has its old or its new state when the program is killed at any point', async () => {
    const base = await prepare(step);
    const whole = await base.copy();
    const { points } = await runProgram(whole, step, 0);
    expect(points).toBeGreaterThan(1);
    expect(await restartIn(whole, step)).toBe(step.after);
    const every = isLong ? 1 : Math.ceil(points / 2);
    for (let point = 1; point <= points; point += every) {
      const folder = await base.copy();
      const { done } = await runProgram(folder, step, point);
      const state = await restartIn(folder, step);
      if (done) expect(state).toBe(step.after);
      await rm(folder, { recursive: true });
    }
    await rm(base.place, { recursive: true });
  });
});

describe.each(chosenSteps)('a tool that is $name', { timeout: 900_000 }, (step) => {
  it('has its old or its new state when a write fails', async () => {
    const base = await prepare(step);
    const run = async (folder: string, failAt: number): Promise<number> => {
      let points = 0;
      let isCounting = false;
      const atPoint = (): void => {
        if (!isCounting) return;
        points += 1;
        if (points === failAt) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      };
      const stopWatching = watchFileChanges(join(folder, 'tools'), atPoint);
      const plain = await createStore({ url: `file:${join(folder, 'haft.db')}` });
      const store = watchStoreWrites(plain, atPoint);
      const workbench = await openWorkbench({
        directory: join(folder, 'tools'),
        store,
        catalog: createCatalog({ store }),
      });
      await workbench.generated.start();
      isCounting = true;
      const result = await workbench.call(step.tool, step.arguments);
      isCounting = false;
      expect(result.name).toBe(step.tool);
      // The program continues, and applies the changes that it could not apply before.
      await workbench.generated.restore();
      const state = await stateOf(workbench);
      expect([step.before, step.after]).toContain(state);
      if (failAt === 0 || result.ok) expect(state).toBe(step.after);
      await workbench.stop();
      await plain.close();
      stopWatching();
      return points;
    };
    const points = await run(await base.copy(), 0);
    const every = isLong ? 1 : Math.ceil(points / 2);
    for (let point = 1; point <= points; point += every) {
      const folder = await base.copy();
      await run(folder, point);
      await restartIn(folder, step);
      await rm(folder, { recursive: true });
    }
    await rm(base.place, { recursive: true });
  });
});

describe('catalog with a damaged file', { timeout: 60_000 }, () => {
  it('is set aside, and later entries are stored', async () => {
    const base = await prepare(crashSteps[1]!);
    const folder = await base.copy();
    await truncate(join(folder, 'haft.db'), 5_000);
    await writeFile(join(folder, 'haft.db'), 'no database at all', { flag: 'r+' });
    const warnings: string[] = [];
    const store = await createStore({
      url: `file:${join(folder, 'haft.db')}`,
      onWarning: ({ code }) => void warnings.push(code),
    });
    expect(warnings).toEqual(['FILE_SET_ASIDE']);
    const workbench = await openWorkbench({ directory: join(folder, 'tools'), store });
    expect(await workbench.generated.restore()).toMatchObject({ restored: [], failed: [] });
    expect((await workbench.call('new_tool', greeting('New'))).ok).toBe(true);
    expect(await stateOf(workbench)).toBe('New Bo');
    await workbench.stop();
    await store.close();
    expect((await readdir(folder)).filter((name) => name.includes('corrupt'))).not.toEqual([]);
    await rm(base.place, { recursive: true });
  });

  it('restores the readable entries when one entry is damaged', async () => {
    const base = await prepare(crashSteps[1]!);
    const folder = await base.copy();
    const store = await createStore({ url: `file:${join(folder, 'haft.db')}` });
    await store.collection('dynamic-tools/generated', (value) => value).set('default/damaged', { name: 5 });
    await store.close();
    const workbench = await open(folder);
    expect(await workbench.generated.restore()).toMatchObject({ restored: ['greet'], failed: [{ name: 'damaged' }] });
    await workbench.stop();
    await workbench.store.close();
    await rm(base.place, { recursive: true });
  });
});
