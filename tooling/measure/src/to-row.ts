import type { MeasuredRow } from './row.ts';

/** A row of values that were measured once for each: their ratios are those of the values. */
export function toRow(
  what: string,
  unit: string,
  haft: number,
  peers: Readonly<Record<string, number>>,
  bar: string,
  holds: boolean,
): MeasuredRow {
  const ratios = Object.fromEntries(
    Object.entries(peers).flatMap(([name, value]) => (haft > 0 ? [[name, value / haft] as const] : [])),
  );
  return { what, unit, haft, peers, bar, holds, ratios };
}
