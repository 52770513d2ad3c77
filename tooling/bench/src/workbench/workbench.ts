import { availableParallelism, loadavg } from 'node:os';
import type { Benchmark, Contender, MeasuredRow } from '@haft-tooling/measure';
import { atMost, bar, bestCpuOf, countRow, measureSideBySide, medianOf, runModule, toRow } from '@haft-tooling/measure';
import type { PageCosts } from './page-process.ts';

const module = new URL('observed-calls.ts', import.meta.url);
const contenders: readonly Contender[] = [
  { name: 'without a workbench', module },
  { name: 'with a workbench', module, options: { workbench: true } },
  { name: 'with a log of calls', module, options: { workbench: true, log: true } },
  { name: 'with an open page', module, options: { workbench: true, log: true, page: true } },
];
const openings = 9;
const saves = 20;
const seconds = 10;

/** Measures what the workbench adds to a call, and how its page loads and bears many events. */
export const workbenchBenchmark: Benchmark = {
  summary:
    'What the workbench adds to a call, with and without an open page, and how the page loads and bears many events.',
  async run(options) {
    const measured = await measureSideBySide(contenders, options);
    const [bare = NaN, closed = NaN, logged = NaN, open = NaN] = measured.map(bestCpuOf);
    options.log(`  the page in Chromium: ${openings} openings, ${saves} saves, ${seconds} s of events`);
    const args = [openings, saves, seconds].map(String);
    const page = await runModule<PageCosts>(new URL('page-process.ts', import.meta.url), args);
    const { eventsPerSecond } = page;
    const load = loadavg()[0] ?? 0;
    const isAtRest = load < availableParallelism() * 2;
    if (!isAtRest) {
      options.log(`  the times in Chromium are left out, because the machine is busy (load ${load.toFixed(1)})`);
      options.attach(
        `The times in Chromium (first paint, a saved plugin, keys during many events) are missing here: the machine was busy (load ${load.toFixed(1)}), and they would show its other work. \`HAFT_TEST_LONG=1\` tests them.`,
      );
    }
    const added = (what: string, value: number, most: number): MeasuredRow =>
      countRow(what, 'µs CPU, best rounds', Math.max(0, value), {}, atMost(most, 'µs'));
    const growth = `Growth of the program’s heap in ${seconds} s with ${Math.round(eventsPerSecond)} events a second`;
    return [
      added('A call while no page is open: added by the workbench', closed - bare, 0.2),
      added('The same with a log of calls, which the page Calls needs: added', logged - bare, 5),
      added('A call while the page Calls is open: added', open - bare, 5),
      toRow('First page, compressed', 'kB', page.bytes / 1_000, {}, atMost(350, 'kB')),
      countRow(growth, 'MB', page.growthBytes / 1e6, {}, atMost(8, 'MB')),
      ...(isAtRest ? timesOf(page) : []),
    ];
  },
};

/** Times in Chromium, which only a machine at rest can measure. */
function timesOf({ paints, saves: times, maxDelay, eventsPerSecond }: PageCosts): readonly MeasuredRow[] {
  const inTime = bar('≤ 100 ms, at 10,000 events a second', maxDelay <= 100 && eventsPerSecond >= 9_900);
  return [
    toRow(`First paint, median of ${openings}`, 'ms', medianOf(paints), {}, atMost(1_000, 'ms')),
    toRow('From saving a plugin to its new text in the page, median', 'ms', medianOf(times), {}, atMost(500, 'ms')),
    toRow(`The same, the slowest of ${saves}`, 'ms', Math.max(...times), {}, atMost(500, 'ms')),
    toRow('Longest delay of a key press during 10,000 events a second', 'ms', maxDelay, {}, inTime),
  ];
}
