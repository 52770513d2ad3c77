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
export function atLeast(limit: number, unit: string): Bar {
  return { text: `≥ ${limit} ${unit}`, holds: (value) => value >= limit };
}

/** A bar that a value meets if it does not exceed the limit. */
export function atMost(limit: number, unit: string): Bar {
  return { text: `≤ ${limit} ${unit}`, holds: (value) => value <= limit };
}

/** A bar that only one value meets. */
export function exactly(value: number, unit = '', text = `${value} ${unit}`.trim()): Bar {
  return { text, holds: (measured) => measured === value };
}

type Values = Readonly<Record<string, number>>;

/** Makes a row of single measurements. Their ratios are the ratios of the values. */
export function toRow(
  what: string,
  unit: string,
  haft: number,
  peers: Values,
  bar: string,
  holds: boolean,
): MeasuredRow {
  const ratios = Object.entries(peers).flatMap(([name, value]) => (haft > 0 ? [[name, value / haft] as const] : []));
  return { ...countRow(what, unit, haft, peers, bar, holds), ratios: Object.fromEntries(ratios) };
}

/** Makes a row of shares or counts, which have no useful ratios. */
export function countRow(
  what: string,
  unit: string,
  haft: number,
  peers: Values,
  bar: string,
  holds: boolean,
): MeasuredRow {
  return { what, unit, haft, peers, bar, holds, ratios: {} };
}

/** Makes a row of repeated measurements: medians, and ratios of the best. */
export function timesRow(
  what: string,
  haft: readonly number[],
  peers: Readonly<Record<string, readonly number[]>>,
  bar: string,
  holds: boolean,
  unit = 'ms, median',
): MeasuredRow {
  const ratioOf = (values: readonly number[]): number => Number((bestOf(values) / bestOf(haft)).toPrecision(3));
  return {
    what,
    unit,
    haft: medianOf(haft),
    peers: mapValues(peers, medianOf),
    bar,
    holds,
    ratios: mapValues(peers, ratioOf),
  };
}

/**
 * Makes a row of contenders that were measured side by side, Haft first: medians of processor time, and ratios of the
 * best.
 */
export function cpuRow(
  what: string,
  measurements: readonly Measurement[],
  bar: string,
  holds: (best: number) => boolean,
): MeasuredRow {
  const [haft, ...peers] = measurements;
  if (haft === undefined) throw new Error(`nothing was measured for "${what}"`);
  return {
    what,
    unit: 'µs CPU, median',
    haft: round(haft.cpuMedian),
    peers: Object.fromEntries(peers.map(({ name, cpuMedian }) => [name, round(cpuMedian)])),
    bar,
    holds: holds(bestCpuOf(haft)),
    ratios: Object.fromEntries(peers.map((peer) => [peer.name, round(bestCpuOf(peer) / bestCpuOf(haft))])),
  };
}

/**
 * If the baseline costs far more than the work, noise hides the difference of the best rounds, so the median is used.
 */
export function bestCpuOf({ cpuBest, cpuMedian }: Measurement): number {
  return cpuBest > 0 ? cpuBest : cpuMedian;
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
