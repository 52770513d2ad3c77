import type { Footprint } from '../../contracts/permission/footprint.ts';
import type { Logger } from '../../contracts/workspace/session.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { describeCause } from '../../describe-cause.ts';
import { dropPromise, notifyListener } from '../../notify-listener.ts';
import type { CallRun } from '../call/call-run.ts';

const everything: readonly string[] = ['*'];
const nothing: readonly string[] = [];
const looksLikePath = /^(?:\/|\.\.?\/|~\/)/;
const warned = new WeakMap<Logger, WeakSet<AnyTool>>();

/** The footprint of a call that must be alone. */
export const alone: Footprint = { reads: nothing, writes: everything };
const readsAnything: Footprint = { reads: everything, writes: nothing };
const overlapsAnything: Footprint = { reads: nothing, writes: nothing };

/**
 * The resources a call reads and writes: what the tool says of these arguments; else, for a tool that may overlap,
 * reading anything (or nothing shared, when it isn't read-only); else everything, alone.
 * A footprint function that throws, or answers what is no footprint, counts as everything; the operator is told once.
 */
export function footprintOf(run: CallRun): Footprint {
  const tool = run.tool!;
  if (tool.footprint) {
    try {
      const footprint = tool.footprint(run.args, { cwd: run.config.workspace.cwd });
      if (dropPromise(footprint)) throw new TypeError('it answered a promise');
      const { reads, writes } = footprint;
      return { reads: readKeys(reads, 'reads'), writes: readKeys(writes, 'writes') };
    } catch (cause) {
      warnOnce(run.config.workspace.logger, tool, cause);
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

function readKeys(given: unknown, member: keyof Footprint): readonly string[] {
  if (!Array.isArray(given)) throw new TypeError(`${member} must be a list of keys`);
  return Array.from(given as readonly unknown[], asKey);
}

function asKey(key: unknown): string {
  if (typeof key !== 'string') throw new TypeError('a footprint names resources by text');
  // No permission rule and no other tool would know it for the file it means.
  if (looksLikePath.test(key)) {
    const shown = JSON.stringify(key.slice(0, 200));
    throw new TypeError(`${shown} looks like a path, and files are named 'file:' + path, with an absolute path`);
  }
  return key;
}

/** Once a tool, since it would be said at every call. */
function warnOnce(logger: Logger | undefined, tool: AnyTool, cause: unknown): void {
  notifyListener((reason) => {
    if (!logger) return;
    const tools = warned.get(logger) ?? new WeakSet();
    warned.set(logger, tools);
    if (tools.has(tool)) return;
    tools.add(tool);
    const message = `the footprint of ${tool.name} can't be used, so its calls count as touching everything; this is said once`;
    return logger.warn(message, { tool: tool.name, reason });
  }, describeCause(cause));
}
