import type { Contender, PageRow } from './read-page.ts';

/** How to compare a row: by percentage points, by ratio, or not at all if neither is meaningful. */
export type Scale = 'share' | 'ratio' | 'count';

/** A peer compared with Haft in one row. */
export interface Compared extends Contender {
  /** How many times better Haft is; below 1 the peer is better. NaN if one value is 0. */
  readonly advantage: number;
  /** Whether it is a yardstick and not a peer: Haft in another form, or the same work without a library. */
  readonly isYardstick: boolean;
}

/** Haft in another form: with other options, or one of its packages inside another framework. */
const ownForms = /^(?:Haft|among|with one)\b|@haft\//;
const withoutLibrary =
  /^(?:no |an? |inline$|exact match only$|JSON\.parse$|node:child_process|bwrap alone|pg .* bare|better-sqlite3 .* alone|pg-boss .* alone)/;

/** Returns whether a larger value is better in a row. */
export function isMoreBetter({ unit, bar }: PageRow): boolean {
  if (unit.includes(' a second')) return true;
  return (unit === '%' || unit === 'texts') && /^(?:≥|100 %|within|\d+ of \d+)/.test(bar);
}

export function scaleOf(row: PageRow): Scale {
  if (row.unit === '%') return 'share';
  return comparePeers(row).some(({ advantage }) => Number.isFinite(advantage) && advantage > 0) ? 'ratio' : 'count';
}

/** Compares Haft with the other contenders of a row that have a value. */
export function comparePeers(row: PageRow): readonly Compared[] {
  return row.peers
    .filter(({ value }) => Number.isFinite(value))
    .map((peer) => ({
      ...peer,
      advantage: advantageOver(peer, row),
      isYardstick: ownForms.test(peer.name) || withoutLibrary.test(peer.name),
    }));
}

function advantageOver({ value, ratio }: Contender, row: PageRow): number {
  if (value === 0 || row.haft === 0) return value === row.haft ? 1 : Number.NaN;
  // Uses the ratio of the values, because ratios of rates have different meanings in different benchmarks.
  return isMoreBetter(row) ? row.haft / value : (ratio ?? value / row.haft);
}

/** Returns the best peer, ignoring yardsticks. */
export function bestPeer(row: PageRow): Compared | undefined {
  return bestOf(
    row,
    comparePeers(row).filter(({ isYardstick }) => !isYardstick),
  );
}

/** Returns the best peer. Without peers, returns the best yardstick that is not Haft itself. */
export function bestOther(row: PageRow): Compared | undefined {
  return (
    bestPeer(row) ??
    bestOf(
      row,
      comparePeers(row).filter(({ name }) => !ownForms.test(name)),
    )
  );
}

function bestOf(row: PageRow, peers: readonly Compared[]): Compared | undefined {
  const sign = isMoreBetter(row) ? -1 : 1;
  const key = ({ advantage, value }: Compared): number =>
    row.unit === '%' || Number.isNaN(advantage) ? sign * value : advantage;
  return peers.toSorted((one, other) => key(one) - key(other))[0];
}

/** The difference between Haft and a peer: percentage points for shares, otherwise how many times better or worse. */
export function describeStanding(row: PageRow, peer: Compared): string {
  const difference = (row.haft - peer.value) * (isMoreBetter(row) ? 1 : -1);
  if (row.unit === '%') {
    return difference === 0
      ? 'even'
      : `${formatNumber(Math.abs(difference))} points ${difference > 0 ? 'better' : 'worse'}`;
  }
  if (!Number.isFinite(peer.advantage)) return difference > 0 ? 'better' : 'worse';
  if (isEven(peer)) return 'even';
  const times = peer.advantage > 1 ? peer.advantage : 1 / peer.advantage;
  return `${formatNumber(times)} × ${peer.advantage > 1 ? 'better' : 'worse'}`;
}

/** Whether a peer is better than Haft by more than noise. */
export function isBeaten(row: PageRow, peer: Compared): boolean {
  return describeStanding(row, peer).endsWith('worse');
}

function isEven({ advantage }: Compared): boolean {
  return Math.abs(advantage - 1) < 0.02;
}

/** A value with its unit, in the short form of the tables: `3.81 µs`, `2 103 calls/s`. */
export function formatValue(value: number, { unit }: PageRow): string {
  const short = (unit.split(',')[0] ?? '')
    .replace('million characters', 'M characters')
    .replace(' CPU', '')
    .replace(' a second', '/s')
    .replace(/ to a snapshot with all$/, '');
  return `${formatNumber(value)}${short.length > 16 ? '' : ` ${short}`}`;
}

/** Formats three significant digits, with thousands separated: `12 300`, `4.56`, `0.012`. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) < 1_000) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
}
