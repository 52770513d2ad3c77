import { availableParallelism, loadavg } from 'node:os';
import type { Benchmark, Contender, MeasuredRow } from '@haft-tooling/measure';
import { bestCpuOf, countRow, measureSideBySide, medianOf, round, runModule, toRow } from '@haft-tooling/measure';
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
    const page = await runModule<PageCosts>(new URL('page-process.ts', import.meta.url), [
      `${openings}`,
      `${saves}`,
      `${seconds}`,
    ]);
    const { eventsPerSecond } = page;
    const load = loadavg()[0] ?? 0;
    const isAtRest = load < availableParallelism() * 2;
    if (!isAtRest) {
      options.log(`  the times in Chromium are left out, because the machine is busy (load ${load.toFixed(1)})`);
      options.attach(
        `The times in Chromium (first paint, a saved plugin, keys during many events) are missing here: the machine was busy (load ${load.toFixed(1)}), and they would show its other work. \`HAFT_TEST_LONG=1\` tests them.`,
      );
    }
    return [
      added('A call while no page is open: added by the workbench', closed - bare, 0.2),
      added('The same with a log of calls, which the page Calls needs: added', logged - bare, 5),
      added('A call while the page Calls is open: added', open - bare, 5),
      toRow('First page, compressed', 'kB', round(page.bytes / 1_000), {}, '≤ 350 kB', page.bytes <= 350_000),
      countRow(
        `Growth of the program’s heap in ${seconds} s with ${Math.round(eventsPerSecond)} events a second`,
        'MB',
        round(page.growthBytes / 1e6),
        {},
        '≤ 8 MB',
        page.growthBytes <= 8e6,
      ),
      ...(isAtRest ? timesOf(page) : []),
    ];

    function added(what: string, value: number, most: number): MeasuredRow {
      return countRow(what, 'µs CPU, best rounds', round(Math.max(0, value)), {}, `≤ ${most} µs`, value <= most);
    }
  },
};

/** Times in Chromium, which only a machine at rest can measure. */
function timesOf({ paints, saves: times, maxDelay, eventsPerSecond }: PageCosts): readonly MeasuredRow[] {
  const time = (what: string, ms: number, most: number, bar = `≤ ${most} ms`, isValid = true): MeasuredRow =>
    toRow(what, 'ms', round(ms), {}, bar, ms <= most && isValid);
  return [
    time(`First paint, median of ${openings}`, medianOf(paints), 1_000),
    time('From saving a plugin to its new text in the page, median', medianOf(times), 500),
    time(`The same, the slowest of ${saves}`, Math.max(...times), 500),
    time(
      'Longest delay of a key during these events',
      maxDelay,
      100,
      '≤ 100 ms, at 10,000 events a second',
      eventsPerSecond >= 9_900,
    ),
  ];
}
