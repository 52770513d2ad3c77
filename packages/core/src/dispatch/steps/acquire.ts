import type { Lease } from '../../contracts/calls/call-queue.ts';
import type { Footprint } from '../../contracts/permission/footprint.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import type { Logger } from '../../contracts/workspace/session.ts';
import { describeCause } from '../../describe-cause.ts';
import { dropPromise, notifyListener } from '../../notify-listener.ts';
import type { CallRun } from '../call/call-run.ts';
import { endIfAborted, type Step } from '../call/early-end.ts';
import { alone, overlapsAnything, readsAnything } from '../lease/footprint.ts';

const looksLikePath = /^(?:\/|\.\.?\/|~\/)/;
const warned = new WeakMap<Logger, WeakSet<AnyTool>>();

/** In a batch or a queue, waits until no running or earlier call conflicts with this call. */
export function acquire(run: CallRun, lease: Lease): Step {
  const footprint = run.tool!.runsAlone === true ? alone : footprintOf(run);
  const waiting = lease.acquire(footprint, run.options.signal);
  return waiting ? waiting.then(() => endIfAborted(run)) : undefined;
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
