import type { Footprint } from '../../contracts/permission/footprint.ts';

const everything: readonly string[] = ['*'];
const nothing: readonly string[] = [];

/**
 * The footprint of a call that must run alone. Unlike other footprints that write everything, it also conflicts with
 * calls that touch no resources.
 */
export const alone: Footprint = { reads: nothing, writes: everything };
/** The footprint of a call that reads any resource. */
export const readsAnything: Footprint = { reads: everything, writes: nothing };
/** The footprint of a call that shares no resources with other calls. */
export const overlapsAnything: Footprint = { reads: nothing, writes: nothing };

/** Checks whether a call touches no resources, so that it conflicts only with calls that must run alone. */
export function touchesNothing({ reads, writes }: Footprint): boolean {
  return reads.length === 0 && writes.length === 0;
}

/** Checks whether two calls conflict: one writes what the other reads or writes, or one must run alone. */
export function conflicts(a: Footprint, b: Footprint): boolean {
  if (a === alone || b === alone) return true;
  return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
}

/** Checks whether two footprints have the same keys in the same order. */
export function isSameFootprint(a: Footprint, b: Footprint): boolean {
  if (a === b) return true;
  return a !== alone && b !== alone && isSameList(a.reads, b.reads) && isSameList(a.writes, b.writes);
}

function isSameList(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((key, index) => key === others[index]);
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => covers(one, other) || covers(other, one)));
}

function covers(one: string, other: string): boolean {
  return one === '*' || one === other || (one.endsWith('/') && other.startsWith(one));
}
