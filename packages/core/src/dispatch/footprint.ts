import type { Footprint } from '../contracts/footprint.ts';
import { dropPromise } from '../tell-listener.ts';
import type { CallRun } from './call-run.ts';

const everything: readonly string[] = ['*'];
const nothing: readonly string[] = [];

/** The footprint of a call that must be alone. */
export const alone: Footprint = { reads: nothing, writes: everything };
const readsAnything: Footprint = { reads: everything, writes: nothing };
const overlapsAnything: Footprint = { reads: nothing, writes: nothing };

/**
 * The resources a call reads and writes: what the tool says of these arguments; else, for a tool that may overlap,
 * reading anything (or nothing shared, when it isn't read-only); else everything, alone.
 * A footprint function that throws counts as everything.
 */
export function footprintOf(run: CallRun): Footprint {
  const tool = run.tool!;
  if (tool.footprint) {
    try {
      const footprint = tool.footprint(run.shownArgs, { cwd: run.parts.workspace.cwd });
      if (dropPromise(footprint)) return alone;
      const { reads, writes } = footprint;
      return { reads: Array.from(reads, asKey), writes: Array.from(writes, asKey) };
    } catch {
      return alone;
    }
  }
  if (!tool.parallelizable) return alone;
  return tool.traits.readOnly ? readsAnything : overlapsAnything;
}

/** Tells whether two calls must not run at the same time: one writes what the other reads or writes. */
export function conflicts(a: Footprint, b: Footprint): boolean {
  return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
}

/** Tells whether two footprints name the same resources in the same order. */
export function isSameFootprint(a: Footprint, b: Footprint): boolean {
  return a === b || (isSameList(a.reads, b.reads) && isSameList(a.writes, b.writes));
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

function asKey(key: unknown): string {
  if (typeof key !== 'string') throw new TypeError('a footprint names resources by text');
  return key;
}
