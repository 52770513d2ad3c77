import { markdownTable } from '@haft-tooling/benchmark-page';
import { askGuarded, countRow, exactly, type BenchmarkOptions, type MeasuredRow } from '@haft-tooling/measure';
import type { Trial, TrialOutcome } from './pathological-process.ts';
import { pathologicalShapes } from '@haft-tooling/corpora/damaged-json';
import { haft, peers } from '@haft-tooling/peers/damaged-json/readers';

const lengths = [100_000, 500_000, 1_000_000] as const;
/** Linear time doubles with the length, so its ratio is 2. The limit is twice as large, to allow for a busy machine. */
const superLinear = 4;
/** Minimum time, below which the ratio depends more on the clock than on the reader. */
const tooShortMs = 30;

/** The outcomes of a reader for pathological shapes. */
interface Toll {
  readonly superLinear: readonly string[];
  readonly overflows: readonly string[];
  readonly hangs: readonly string[];
  readonly slowestMs: number;
  readonly slowest: string;
}

/**
 * Reads pathological shapes of growing length. Counts shapes that exceed the time limit, grow faster than linearly, or
 * overflow the stack.
 */
export async function measurePathological({ full, log, attach }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const tolls = new Map<string, Toll>();
  for (const { name } of full ? [haft, ...peers] : [haft, ...peers.slice(0, 1)]) {
    log(`  ${name} reads ${pathologicalShapes.length} pathological shapes`);
    tolls.set(name, await takeToll(name, full ? 20_000 : 4_000));
  }
  attach(renderTolls(tolls));
  const row = (what: string, count: (toll: Toll) => number): MeasuredRow => {
    const { [haft.name]: own = Number.NaN, ...others } = Object.fromEntries(
      [...tolls].map(([name, toll]) => [name, count(toll)]),
    );
    return countRow(what, 'shapes', own, others, exactly(0));
  };
  const shapes = `${pathologicalShapes.length} pathological shapes of up to 1 M characters`;
  return [
    row(`${shapes}: superlinear, or over the time limit`, (toll) => toll.superLinear.length + toll.hangs.length),
    row(`${shapes}: stack overflows`, (toll) => toll.overflows.length),
  ];
}

async function takeToll(reader: string, questionMs: number): Promise<Toll> {
  const trials = pathologicalShapes.flatMap(({ name }) => trialsOf(name));
  const module = new URL('pathological-process.ts', import.meta.url);
  const ask = (asked: readonly Trial[]): Promise<readonly (TrialOutcome | undefined)[]> =>
    askGuarded<TrialOutcome>(asked, { module, args: [reader], questionMs });
  const first = await ask(trials);
  const lists: Record<'superLinear' | 'overflows' | 'hangs', string[]> = { superLinear: [], overflows: [], hangs: [] };
  const toll = { ...lists, slowestMs: 0, slowest: '' };
  for (const [index, { name }] of pathologicalShapes.entries()) {
    const outcomes = first.slice(index * lengths.length, (index + 1) * lengths.length);
    if (outcomes.includes(undefined)) toll.hangs.push(name);
    if (outcomes.some((outcome) => outcome?.ended === 'overflow')) toll.overflows.push(name);
    const last = outcomes.at(-1)?.cpuMs ?? 0;
    if (last > toll.slowestMs) Object.assign(toll, { slowestMs: last, slowest: name });
    if (!isSuperLinear(outcomes)) continue;
    // Measures again, because noise rarely repeats.
    const again = [await ask(trialsOf(name)), await ask(trialsOf(name))];
    if (again.every(isSuperLinear)) toll.superLinear.push(name);
  }
  return toll;
}

const trialsOf = (shape: string): readonly Trial[] =>
  lengths.map((length): Trial => ({ id: `${shape}/${length}`, shape, length }));

function isSuperLinear(outcomes: readonly (TrialOutcome | undefined)[]): boolean {
  const [, half, whole] = outcomes;
  return (
    half !== undefined &&
    whole !== undefined &&
    whole.cpuMs > tooShortMs &&
    whole.cpuMs / Math.max(half.cpuMs, 1) > superLinear
  );
}

function renderTolls(tolls: ReadonlyMap<string, Toll>): string {
  const list = (names: readonly string[]): string =>
    names.length === 0 ? '–' : `${names.length}: ${names.join('; ')}`;
  const heads = ['', 'superlinear time', 'over the time limit', 'stack overflow', 'slowest of the other shapes'];
  const lines = [...tolls].map(([name, { superLinear, hangs, overflows, slowest, slowestMs }]) => [
    name,
    ...[superLinear, hangs, overflows].map(list),
    `${slowest}, ${slowestMs.toFixed(0)} ms`,
  ]);
  const title = '**Pathological shapes**, read at 100 K, 500 K and 1 M characters:';
  return `${title}\n\n${markdownTable(heads, lines, { isText: true })}`;
}
