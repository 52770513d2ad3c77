import type { Measurement } from './measure-side-by-side.ts';
import type { MeasuredRow } from './row.ts';
import { bestOf, medianOf, round } from './statistics.ts';

/** A limit that a value has to meet. */
export interface Bar {
  /** The limit in words: `≥ 98 %`. */
  readonly text: string;
  readonly holds: (value: number) => boolean;
}

/** A bar that a value meets if it reaches the limit. */
export function atLeast(limit: number, unit = ''): Bar {
  return { text: `≥ ${limit.toLocaleString('en')} ${unit}`.trim(), holds: (value) => value >= limit };
}

/** A bar that a value meets if it does not exceed the limit. */
export function atMost(limit: number, unit = ''): Bar {
  return { text: `≤ ${limit.toLocaleString('en')} ${unit}`.trim(), holds: (value) => value <= limit };
}

/** A bar that only one value meets. */
export function exactly(value: number, unit = ''): Bar {
  return { text: `${value} ${unit}`.trim(), holds: (measured) => measured === value };
}

/** A bar in other words, which may depend on more than one value. */
export function bar(text: string, isMet: boolean): Bar {
  return { text, holds: () => isMet };
}

type Values = Readonly<Record<string, number>>;

/** Makes a row of single measurements. Their ratios are the ratios of the values. */
export function toRow(what: string, unit: string, haft: number, peers: Values, bar: Bar): MeasuredRow {
  return {
    ...countRow(what, unit, haft, peers, bar),
    ratios: haft > 0 ? mapValues(peers, (value) => value / haft) : {},
  };
}

/** Makes a row of shares or counts, which have no useful ratios. */
export function countRow(what: string, unit: string, haft: number, peers: Values, { text, holds }: Bar): MeasuredRow {
  return {
    what,
    unit,
    haft: round(haft),
    peers: mapValues(peers, round),
    bar: text,
    holds: holds(haft),
    ratios: {},
  };
}

/** Makes a row of repeated measurements in milliseconds: medians, and ratios of the best. */
export function timesRow(
  what: string,
  haft: readonly number[],
  peers: Readonly<Record<string, readonly number[]>>,
  bar: Bar,
): MeasuredRow {
  const row = countRow(what, 'ms, median', medianOf(haft), mapValues(peers, medianOf), bar);
  return { ...row, ratios: mapValues(peers, (values) => round(bestOf(values) / bestOf(haft))) };
}

/**
 * Makes a row of contenders that were measured side by side, Haft first: medians of processor time, and ratios of the
 * best. The bar is for the best round of Haft.
 */
export function cpuRow(
  what: string,
  measurements: readonly Measurement[],
  { text, holds }: Bar,
  unit: 'µs' | 'ms' = 'µs',
): MeasuredRow {
  const [haft, ...peers] = measurements;
  if (haft === undefined) throw new Error(`nothing was measured for "${what}"`);
  const valueOf = ({ cpuMedian }: Measurement): number => (unit === 'µs' ? cpuMedian : cpuMedian / 1_000);
  const medians = Object.fromEntries(peers.map((peer) => [peer.name, valueOf(peer)]));
  return {
    ...countRow(what, `${unit} CPU, median`, valueOf(haft), medians, bar(text, holds(bestCpuOf(haft)))),
    ratios: Object.fromEntries(peers.map((peer) => [peer.name, round(bestCpuOf(peer) / bestCpuOf(haft))])),
  };
}

/**
 * If the baseline costs far more than the work, noise hides the difference of the best rounds, so the median is used.
 */
export function bestCpuOf({ cpuBest, cpuMedian }: Measurement): number {
  return cpuBest > 0 ? cpuBest : cpuMedian;
}

/** Processor time of the best round of one contender, in microseconds. */
export function bestCpuFor(measurements: readonly Measurement[], name: string): number {
  const found = measurements.find((measurement) => measurement.name === name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return bestCpuOf(found);
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
