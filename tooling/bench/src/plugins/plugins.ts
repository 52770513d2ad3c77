import { fileURLToPath } from 'node:url';
import type { Reloads } from './plugin-process.ts';
import type { Benchmark, MeasuredRow } from '@haft-tooling/measure';
import { atMost, buildPackages, makeFolder, medianOf, percentileOf, runChild, toRow } from '@haft-tooling/measure';

const program = fileURLToPath(new URL('plugin-process.ts', import.meta.url));
const saves = { some: 60, all: 300 };
const savesAtOnce = 40;
/** Milliseconds between two saves: long enough to prepare the next process, or 0. */
const pauses = { process: 500, inline: 150 };
const reloads = { some: 200, all: 1_000 };
const calls = 2_000;
const plugins = 100;

/** Measures the cost of plugins: a save, a call, a thousand reloads, a start with a hundred plugins. */
export const pluginsBenchmark: Benchmark = {
  summary:
    'Plugins in their own processes, and inline: from a save to the new version, calls, reloads during calls, and a start with 100 plugins.',
  async run({ full, log }) {
    // Measures the JavaScript that users get, built from the current sources.
    await buildPackages('dynamic-tools', 'store');
    const saved = full ? saves.all : saves.some;
    log(`  ${saved} saves, in a process and inline`);
    const inProcess = await measure<readonly number[]>('save-process', saved, `${pauses.process}`);
    const atOnce = await measure<readonly number[]>('save-process', savesAtOnce, '0');
    const inline = await measure<readonly number[]>('save-inline', saved, `${pauses.inline}`);
    log(`  ${calls} calls a round`);
    const bare = await measure<{ each: number; together: number }>('calls-inline', calls);
    const across = await measure<{ each: number; together: number }>('calls-process', calls);
    const reloaded = full ? reloads.all : reloads.some;
    log(`  ${reloaded} reloads under calls`);
    const kept = await measure<Reloads>('reloads', reloaded);
    log(`  ${plugins} plugins at the start, the first ever and the next`);
    using folder = makeFolder();
    const cold = await measure<number>('start', plugins, folder.path);
    const warm = await measure<number>('start', plugins, folder.path);
    const lost = kept.dropped + kept.duplicated + kept.stale;
    const left = kept.processes + kept.descriptors + kept.timers;
    return [
      row('Save → new version callable in its own process, median', 'ms', medianOf(inProcess), 120),
      row('Save → new version callable in its own process, 99th percentile', 'ms', percentileOf(inProcess, 0.99), 400),
      row('The same, saved again as soon as it is callable, median', 'ms', medianOf(atOnce), 120),
      row('Save → new version callable, inline, median', 'ms', medianOf(inline), 25),
      row("What a plugin's own process adds to a call", 'µs, best round', across.each - bare.each, 150, {
        inline: bare.each,
      }),
      row('32 calls at once that wait 50 ms each', 'times one of them', across.together, 5, { inline: bare.together }),
      row(`Calls dropped, run twice or stale in ${reloaded} reloads under ${kept.calls} calls`, 'calls', lost, 0),
      row(`Host heap after ${reloaded} reloads: growth`, 'MB', kept.heap / 1e6, 5),
      row(`Host heap from ${reloaded} reloads to ${2 * reloaded}: growth`, 'MB', kept.heapLater / 1e6, 1),
      row(`Processes, descriptors and timers after ${reloaded} reloads: growth`, 'left', left, 0),
      row(`${plugins} plugins, the first start ever`, 'ms to a snapshot with all', cold, 8_000),
      row(`${plugins} plugins, the next start`, 'ms to a snapshot with all', warm, 2_000),
    ];
  },
};

function measure<Outcome>(what: string, count: number, more = ''): Promise<Outcome> {
  return runChild(['--expose-gc', '--disable-warning=ExperimentalWarning', program, what, `${count}`, more]);
}

function row(
  what: string,
  unit: string,
  haft: number,
  most: number,
  peers: Readonly<Record<string, number>> = {},
): MeasuredRow {
  return toRow(what, unit, haft, peers, atMost(most, unit.split(',')[0]));
}
