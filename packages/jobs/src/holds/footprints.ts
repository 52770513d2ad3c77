import type { Footprint } from '@haft/core';

/** Checks whether two calls conflict: one writes what the other reads or writes. */
export function conflicts(a: Footprint, b: Footprint): boolean {
  return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => covers(one, other) || covers(other, one)));
}

function covers(one: string, other: string): boolean {
  return one === '*' || one === other || (one.endsWith('/') && other.startsWith(one));
}

/** Checks whether two footprints have the same keys, in any order. */
export function isSameFootprint(a: Footprint | undefined, b: Footprint | undefined): boolean {
  return textOf(a) === textOf(b);
}

function textOf(footprint: Footprint | undefined): string {
  return JSON.stringify(footprint && [[...footprint.reads].sort(), [...footprint.writes].sort()]);
}

/** Parses a stored footprint, if there is one. A damaged one counts as everything. */
export function parseFootprint(text: string | null): Footprint | null {
  try {
    const found = JSON.parse(text ?? 'null') as Footprint | null;
    return found && { reads: [...found.reads], writes: [...found.writes] };
  } catch {
    return { reads: [], writes: ['*'] };
  }
}

/** A row of the holds. */
export interface Hold {
  readonly key: string;
  readonly isWrite: boolean;
}

/** Returns the combined footprint of all holds of a workspace. */
export function footprintOfHolds(holds: readonly Hold[]): Footprint {
  const keys = (isWrite: boolean): readonly string[] =>
    holds.filter((hold) => hold.isWrite === isWrite).map(({ key }) => key);
  return { reads: keys(false), writes: keys(true) };
}

/** Returns the holds of a footprint. */
export function holdsOf({ reads, writes }: Footprint): readonly Hold[] {
  const written = new Set(writes);
  return [
    ...[...written].map((key) => ({ key, isWrite: true })),
    ...[...new Set(reads)].filter((key) => !written.has(key)).map((key) => ({ key, isWrite: false })),
  ];
}
