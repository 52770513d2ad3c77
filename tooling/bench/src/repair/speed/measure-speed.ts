import { markdownTable } from '@haft-tooling/benchmark-page';
import { bar, countRow, type Bar, type BenchmarkOptions, type MeasuredRow } from '@haft-tooling/measure';
import { race, type Race } from './race.ts';
import { haft, peers } from '@haft-tooling/peers/damaged-json/readers';
import { speedTexts, type SpeedText } from '@haft-tooling/corpora/damaged-json';

const sizes = [1_000, 100_000, 1_000_000] as const;
const parse = 'JSON.parse';

interface Raced {
  readonly text: SpeedText;
  readonly races: readonly Race[];
}

/** Races Haft, jsonrepair and, for valid texts, `JSON.parse`; with `full`, all other peers too. */
export async function measureSpeed({ rounds, full, log, attach }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const [jsonrepair, ...others] = peers.map(({ name }) => name);
  if (jsonrepair === undefined) throw new Error('there is no peer to compare with');
  const raced: Raced[] = [];
  for (const text of speedTexts) {
    log(`  speed: ${text.name}`);
    const contenders = [haft.name, jsonrepair, ...(full ? others : []), ...(text.valid === true ? [parse] : [])];
    // More laps, because the two readers of valid text differ only slightly.
    const laps = full || text.valid === true ? rounds : Math.min(rounds, 3);
    // In shorter laps, compiling takes a large part of the processor time, more for longer code.
    const options = { rounds: laps, lapMs: 200, limitMs: full ? 20_000 : 6_000 };
    raced.push({ text, races: await race(contenders, text.name, full ? [...sizes, 10_000_000] : sizes, options) });
  }
  attach(renderSpeeds(raced));
  return [
    ...raced.filter(({ text }) => text.valid === true).map(toValidRow),
    ...raced.filter(({ text }) => text.valid !== true).map((one) => toDamagedRow(one, jsonrepair)),
  ];
}

const speedOf = (one: Race | undefined, name: string): number => one?.times.get(name)?.speed ?? 0;

/** The time of another reader relative to Haft. */
function ratioTo(one: Race | undefined, name: string): number {
  const [own, other] = [one?.times.get(haft.name)?.cpuMicroseconds, one?.times.get(name)?.cpuMicroseconds];
  return own === undefined || other === undefined ? Number.NaN : other / own;
}

function toValidRow({ text, races }: Raced): MeasuredRow {
  const worst = Math.min(...races.map((one) => ratioTo(one, parse)));
  const limit = bar(`≥ 0.95 × JSON.parse at 1 KB, 100 KB and 1 MB (worst: ${worst.toFixed(2)})`, worst >= 0.95);
  return toRow(`Speed: ${text.name}, 100 KB`, races, limit);
}

function toDamagedRow({ text, races }: Raced, jsonrepair: string): MeasuredRow {
  // A reader that refuses a text ends sooner, so the times are not comparable.
  const comparable = races.filter(
    ({ times }) => times.get(jsonrepair)?.read === true || times.get(jsonrepair)?.speed === 0,
  );
  const worst = Math.min(...comparable.map((one) => ratioTo(one, jsonrepair)));
  const isFast = races.every((one) => one.size < 100_000 || speedOf(one, haft.name) >= 50);
  const recordsBar = text.name.startsWith('records') ? ' and ≥ 50 M characters a second from 100 KB' : '';
  const limit = `≥ 5 × jsonrepair at 1 KB, 100 KB and 1 MB${recordsBar} (worst: ${Number.isFinite(worst) ? `${worst.toFixed(1)} ×` : 'it refuses'})`;
  return toRow(`Speed: ${text.name}, 100 KB`, races, bar(limit, worst >= 5 && (recordsBar === '' || isFast)));
}

function toRow(what: string, races: readonly Race[], limit: Bar): MeasuredRow {
  const middle = races.find(({ size }) => size === 100_000);
  const others = [...(middle?.times.keys() ?? [])].filter((name) => name !== haft.name);
  const ofOthers = (value: (one: Race | undefined, name: string) => number): Record<string, number> =>
    Object.fromEntries(others.map((name) => [name, value(middle, name)]));
  const row = countRow(what, 'million characters a second', speedOf(middle, haft.name), ofOthers(speedOf), limit);
  return { ...row, ratios: ofOthers(ratioTo) };
}

/** All results in one table. */
function renderSpeeds(raced: readonly Raced[]): string {
  const names = [...new Set(raced.flatMap(({ races }) => races.flatMap(({ times }) => [...times.keys()])))];
  const cell = (one: Race, name: string): string => {
    const time = one.times.get(name);
    if (time === undefined) return '';
    if (time.speed === 0) return 'too slow';
    return `${time.speed < 10 ? time.speed.toFixed(1) : time.speed.toFixed(0)}${time.read ? '' : ' (refused)'}`;
  };
  const lines = raced.flatMap(({ text, races }) =>
    races.map((one) => [text.name, `${one.size / 1_000} K`, ...names.map((name) => cell(one, name))]),
  );
  const title =
    '**Speed**, in million characters a second, the best of all laps of 0.2 seconds, after 1.2 seconds to warm up (“too slow”: the lap exceeded the time limit):';
  return `${title}\n\n${markdownTable(['text', 'size', ...names], lines)}`;
}
