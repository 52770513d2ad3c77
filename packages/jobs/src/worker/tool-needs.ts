import { decodeArgs, type AnyTool, type Footprint, type ToolCall } from '@haft/core';

import type { JobLimit } from '../contracts/worker.ts';
import type { LimitSpace } from '../holds/admit.ts';
import type { IfLost } from '../ledger/job-row.ts';

/** Returns how to handle a call of a tool whose worker is lost after the body started. */
export function ifLostOf(tool: AnyTool): IfLost {
  const { traits } = tool;
  if (traits.readOnly) return 'read-only';
  if (traits.idempotent !== false) return 'retry';
  return tool.recover === undefined ? 'unknown' : 'recover';
}

/**
 * Returns the footprint of a call, or `undefined` if the tool declares no footprint or the arguments are invalid,
 * because the call then fails before its body.
 */
export function footprintOf(tool: AnyTool, call: ToolCall, cwd: string): Footprint | undefined {
  if (tool.footprint === undefined) return undefined;
  const decoded = decodeArgs(tool.input.jsonSchema, call);
  return decoded.ok ? readFootprint(tool, decoded.value, cwd) : undefined;
}

/** Calls the tool's own function. A footprint that can't be read counts as everything. */
export function readFootprint(tool: AnyTool, args: unknown, cwd: string): Footprint | undefined {
  if (tool.footprint === undefined) return undefined;
  try {
    const { reads, writes } = tool.footprint(args, { cwd });
    // The database can't store NUL and lone surrogates.
    if ([...reads, ...writes].some((key) => typeof key !== 'string' || /[\0\p{Cs}]/u.test(key)))
      throw new TypeError('keys must be texts');
    return reads.length + writes.length === 0 ? undefined : { reads: [...reads], writes: [...writes] };
  } catch {
    return { reads: [], writes: ['*'] };
  }
}

/** Returns the limits that apply to a tool. */
export function limitsOf(name: string, limits: readonly JobLimit[]): readonly LimitSpace[] {
  return limits.filter(({ tool }) => matchesGlob(name, tool)).map(toLimitSpace);
}

/** Returns the space in which the calls of a limit are counted. */
export function toLimitSpace({ tool, parallel, rate }: JobLimit): LimitSpace {
  return { space: `limit:${tool}`, ...(parallel === undefined ? {} : { parallel }), ...(rate && { rate }) };
}

function matchesGlob(name: string, glob: string): boolean {
  const pattern = glob
    .split('*')
    .map((text) => text.replaceAll(/[^\w]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(name);
}
