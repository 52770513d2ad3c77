import type { Benchmark, Contender } from '@haft-tooling/measure';
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
    const paint = medianOf(page.paints);
    const shown = medianOf(page.saves);
    const slowest = Math.max(...page.saves);
    return [
      added('A call while no page is open: added by the workbench', closed - bare, 0.2),
      added('The same with a log of calls, which the page Calls needs: added', logged - bare, 5),
      added('A call while the page Calls is open: added', open - bare, 5),
      toRow('First page, compressed', 'kB', round(page.bytes / 1_000), {}, '≤ 350 kB', page.bytes <= 350_000),
      toRow(`First paint, median of ${openings}`, 'ms', round(paint), {}, '≤ 1,000 ms', paint <= 1_000),
      toRow(
        'From saving a plugin to its new text in the page, median',
        'ms',
        round(shown),
        {},
        '≤ 500 ms',
        shown <= 500,
      ),
      toRow(`The same, the slowest of ${saves}`, 'ms', round(slowest), {}, '≤ 500 ms', slowest <= 500),
      toRow(
        `Longest delay of a key while the program has ${Math.round(page.eventsPerSecond)} events a second for ${seconds} s`,
        'ms',
        round(page.maxDelay),
        {},
        '≤ 100 ms, at 10,000 events a second',
        page.maxDelay <= 100 && page.eventsPerSecond >= 9_900,
      ),
      countRow(
        'Growth of the program’s heap meanwhile',
        'MB',
        round(page.growthBytes / 1e6),
        {},
        '≤ 8 MB',
        page.growthBytes <= 8e6,
      ),
    ];

    function added(what: string, value: number, most: number): ReturnType<typeof countRow> {
      return countRow(what, 'µs CPU, best rounds', round(Math.max(0, value)), {}, `≤ ${most} µs`, value <= most);
    }
  },
};
