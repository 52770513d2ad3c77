import type { Footprint } from '../../contracts/permission/footprint.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import type { Logger } from '../../contracts/workspace/session.ts';
import { describeCause } from '../../describe-cause.ts';
import { dropPromise, notifyListener } from '../../notify-listener.ts';
import type { CallRun } from '../call/call-run.ts';

const everything: readonly string[] = ['*'];
const nothing: readonly string[] = [];
const looksLikePath = /^(?:\/|\.\.?\/|~\/)/;
const warned = new WeakMap<Logger, WeakSet<AnyTool>>();

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

/**
 * Returns the resources that a call reads and writes, as declared by the tool for these arguments. Without a
 * declaration, a parallelizable tool reads everything if it is read-only and shares no resources otherwise. All other
 * tools run alone. If the footprint function throws or returns an invalid value, the call runs alone and a warning is
 * logged once.
 */
export function footprintOf(run: CallRun): Footprint {
  const tool = run.tool!;
  if (tool.footprint) {
    try {
      const footprint = tool.footprint(run.args, { cwd: run.config.workspace.cwd });
      if (dropPromise(footprint)) throw new TypeError('it returned a promise');
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

function readKeys(given: unknown, member: keyof Footprint): readonly string[] {
  if (!Array.isArray(given)) throw new TypeError(`${member} must be an array of keys`);
  return Array.from(given as readonly unknown[], asKey);
}

function asKey(key: unknown): string {
  if (typeof key !== 'string')
    throw new TypeError('every key of a footprint must be a string, such as file:/project/a.txt');
  // Permission rules and other tools would not recognize this key as a file.
  if (looksLikePath.test(key)) {
    const shown = JSON.stringify(key.slice(0, 200));
    throw new TypeError(`${shown} looks like a path; write files as 'file:' + an absolute path`);
  }
  return key;
}

/** Warns once per tool instead of once per call. */
function warnOnce(logger: Logger | undefined, tool: AnyTool, cause: unknown): void {
  notifyListener((reason) => {
    if (!logger) return;
    const tools = warned.get(logger) ?? new WeakSet();
    warned.set(logger, tools);
    if (tools.has(tool)) return;
    tools.add(tool);
    const message = `the footprint of ${tool.name} is not valid, so its calls count as touching everything (reported once)`;
    return logger.warn(message, { tool: tool.name, reason });
  }, describeCause(cause));
}
