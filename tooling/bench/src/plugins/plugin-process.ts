// Takes one measurement of plugins and prints it as JSON. Arguments: measurement, repetitions, and a folder or a pause
// in milliseconds.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolRegistry } from '@haft/core';
import { createCatalog, createPluginLoader } from '@haft/dynamic-tools';
import { createStore } from '@haft/store';
import { openPluginBench } from './plugin-bench.ts';
import { keptMemory, millisecondsOf } from '@haft-tooling/measure';
import { pluginText } from '@haft-tooling/corpora/plugin-texts';

const [what = '', countText = '1', more = ''] = process.argv.slice(2);
const count = Number(countText);
const folder = more;

const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
  'save-inline': () => measureSaves('inline'),
  'save-process': () => measureSaves('process'),
  'calls-inline': () => measureCalls('inline'),
  'calls-process': () => measureCalls('process'),
  reloads: measureReloads,
  start: measureStart,
};
process.stdout.write(JSON.stringify(await kinds[what]?.()));
process.exit(0);

async function measureSaves(isolation: 'inline' | 'process'): Promise<readonly number[]> {
  const bench = await openPluginBench(isolation);
  const times: number[] = [];
  for (let version = 1; version <= count; version += 1) {
    const took = await bench.save(version);
    const { text } = await bench.call(`check ${version}`);
    if (text !== `${version} check ${version}`) throw new Error(`version ${version} answers ${text}`);
    times.push(took);
    // Saves at the pace of a developer who looks at each result.
    await new Promise((resolve) => setTimeout(resolve, Number(more)));
  }
  await bench.end();
  return times;
}

/**
 * Microseconds per call, one after the other, the best of several rounds; and the time of 32 slow parallel calls
 * relative to one.
 */
async function measureCalls(
  isolation: 'inline' | 'process',
): Promise<{ readonly each: number; readonly together: number }> {
  const bench = await openPluginBench(isolation);
  const rounds: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const ms = await millisecondsOf(async () => {
      for (let index = 0; index < count; index += 1) await bench.call('x');
    });
    rounds.push((ms / count) * 1_000);
  }
  const slow = (many: number): Promise<number> =>
    millisecondsOf(() => Promise.all(Array.from({ length: many }, (_, index) => bench.call(`slow ${index}`))));
  await slow(1);
  const [one, all] = [await slow(1), await slow(32)];
  await bench.end();
  return { each: Math.min(...rounds), together: all / one };
}

async function measureReloads(): Promise<Reloads> {
  const bench = await openPluginBench('process', true);
  const warmUp = 30;
  const tally = { calls: 0, dropped: 0, stale: 0 };
  let served = 0;
  const caller = async (name: string, run: { readonly isOver: boolean }): Promise<void> => {
    while (!run.isOver) {
      const expected = served;
      tally.calls += 1;
      const id = `${name}${tally.calls}`;
      const { ok, text } = await bench.call(id);
      if (!ok || !text.endsWith(` ${id}`)) tally.dropped += 1;
      else if (Number(text.split(' ')[0]) < expected) tally.stale += 1;
      // Pauses like a model between calls, so that reloads get processor time.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  // Waits for processes that are ending, and for the process that waits for the next save.
  const comeToRest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 6_000));
  const reload = async (many: number): Promise<Held> => {
    const run = { isOver: false };
    const callers = Promise.all(['a', 'b'].map((name) => caller(name, run)));
    for (const last = served + many; served < last;) {
      await bench.save(served + 1);
      served += 1;
    }
    run.isOver = true;
    await callers;
    await comeToRest();
    return look();
  };
  // Warms up, so that code that is loaded and compiled once does not count as growth.
  const before = await reload(warmUp);
  const callsBefore = tally.calls;
  const after = await reload(count);
  const calls = tally.calls - callsBefore;
  const later = await reload(count);
  const ran = readFileSync(bench.log, 'utf8').trim().split('\n');
  const duplicated = ran.length - new Set(ran).size;
  await bench.end();
  return {
    ...tally,
    calls,
    duplicated,
    heap: after.heap - before.heap,
    heapLater: later.heap - after.heap,
    processes: after.processes - before.processes,
    descriptors: after.descriptors - before.descriptors,
    timers: after.timers - before.timers,
  };
}

interface Held {
  readonly heap: number;
  readonly processes: number;
  readonly descriptors: number;
  readonly timers: number;
}

/** Calls during reloads, and how the resources of the host grew. */
export interface Reloads extends Held {
  readonly calls: number;
  readonly dropped: number;
  readonly duplicated: number;
  readonly stale: number;
  /** Growth of the heap during as many further reloads. */
  readonly heapLater: number;
}

/**
 * Resources that this program keeps. Files that are open for a moment, such as those that report a process's memory, do
 * not count.
 */
async function look(): Promise<Held> {
  const { heapUsed: heap } = await keptMemory();
  const counts: number[] = [];
  for (let times = 0; times < 5; times += 1) {
    counts.push(readdirSync('/proc/self/fd').length);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return {
    heap,
    processes: readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
      .length,
    descriptors: Math.min(...counts),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
  };
}

/** Milliseconds until all plugins of a folder are in a snapshot. Their cache is in the folder too. */
async function measureStart(): Promise<number> {
  const plugins = join(folder, 'plugins');
  mkdirSync(plugins, { recursive: true });
  for (let index = 0; index < count; index += 1)
    if (!readdirSync(plugins).includes(`tool_${index}.ts`))
      writeFileSync(join(plugins, `tool_${index}.ts`), pluginText(index, `tool_${index}`));
  const start = performance.now();
  const catalog = createCatalog({ store: await createStore({ url: `file:${join(folder, 'haft.db')}` }) });
  const registry = new ToolRegistry();
  const loader = createPluginLoader({ directory: plugins, registry, catalog, jail: 'preferred' });
  await loader.ready;
  const took = performance.now() - start;
  const missing = count - registry.toolsByProvider('dynamic').length;
  if (missing > 0) throw new Error(`${missing} plugins are not served`);
  for (let index = 0; index < count; index += 1)
    while (!(await catalog.definitions.get(`tool_${index}`))) await new Promise((resolve) => setTimeout(resolve, 20));
  await loader.stop();
  return took;
}
