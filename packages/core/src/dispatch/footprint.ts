import type { Footprint } from '../contracts/footprint.ts';
import type { AnyTool } from '../contracts/tool.ts';

const everything: readonly string[] = ['*'];
const nothing: readonly string[] = [];

/** The footprint of a call that must be alone. */
export const alone: Footprint = { reads: nothing, writes: everything };
const readsAnything: Footprint = { reads: everything, writes: nothing };
const overlapsAnything: Footprint = { reads: nothing, writes: nothing };

/**
 * The resources a call reads and writes: what the tool says of these arguments; else, for a tool that may overlap,
 * reading anything (or nothing shared, when it isn't read-only); else everything, alone.
 * A footprint function that throws, or names what is no resource, counts as everything.
 */
export function footprintOf(tool: AnyTool, args: unknown, cwd: string): Footprint {
  if (tool.footprint) {
    try {
      const { reads, writes } = tool.footprint(args, { cwd });
      const footprint = { reads: [...reads], writes: [...writes] };
      return [...footprint.reads, ...footprint.writes].every(isResource) ? footprint : alone;
    } catch {
      return alone;
    }
  }
  if (!tool.parallelizable) return alone;
  return tool.traits.readOnly ? readsAnything : overlapsAnything;
}

function isResource(resource: unknown): boolean {
  return typeof resource === 'string';
}

/** Tells whether two calls must not run at the same time: one writes what the other reads or writes. */
export function conflicts(a: Footprint, b: Footprint): boolean {
  return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => covers(one, other) || covers(other, one)));
}

function covers(one: string, other: string): boolean {
  return one === '*' || one === other || (one.endsWith('/') && other.startsWith(one));
}
