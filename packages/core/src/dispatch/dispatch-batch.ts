import type { BatchContext, ToolCall } from '../contracts/source.ts';
import type { ToolResult } from '../contracts/result.ts';
import { CallRun } from './call-run.ts';
import { dispatchCall } from './dispatch-call.ts';
import type { DispatcherParts } from './dispatcher.ts';
import type { Lease } from '../contracts/call-queue.ts';
import { createLeaseQueue } from './lease-queue.ts';
import { alone } from './footprint.ts';
import { reject } from './rejection.ts';
import { refuse } from './settle.ts';

/**
 * Runs the calls of one turn: those whose footprints don't conflict overlap, the rest wait for one another in call
 * order. Results come back in call order, one for each call, whatever happens to the others.
 */
export async function dispatchBatch(
  calls: readonly ToolCall[],
  context: BatchContext,
  parts: DispatcherParts,
): Promise<readonly ToolResult[]> {
  const snapshot = context.snapshot ?? parts.registry.snapshot();
  const shared: BatchContext = { ...context, snapshot };
  const queue = context.queue ?? createLeaseQueue(Math.max(1, context.maxParallel ?? 8));
  let denied = false;

  const runOne = async (index: number): Promise<ToolResult> => {
    const lease = leases[index]!;
    const call = calls[index]!;
    try {
      const result = await dispatchCall(call, shared, parts, lease);
      if (!result.ok && result.error.code === 'PERMISSION_DENIED') denied = true;
      return result;
    } finally {
      lease.release();
    }
  };

  const order = orderOf(calls, context, (name) => snapshot.get(name)?.traits.readOnly ?? false);
  const leases: Lease[] = [];
  for (const index of order) {
    const lease = queue.enter();
    leases[index] =
      context.mode === 'serial' || (context.mode === 'reads-then-writes' && !isRead(calls[index]!))
        ? aloneOnly(lease)
        : lease;
  }

  function isRead(call: ToolCall): boolean {
    return snapshot.get(call.name)?.traits.readOnly ?? false;
  }

  return Promise.all(
    calls.map(async (call, index) => {
      const skipping = context.onDenied === 'skip' || context.onDenied === 'stop';
      const result = skipping ? await runUnlessDenied(call, index) : await runOne(index);
      notify(context, result, index);
      return result;
    }),
  );

  /** With `skip` and `stop`, a call that waits its turn while another is denied never starts. */
  async function runUnlessDenied(call: ToolCall, index: number): Promise<ToolResult> {
    const lease = leases[index]!;
    await lease.acquire(alone, context.signal);
    if (!denied) return runOne(index);
    lease.release();
    const run = new CallRun(call, shared, parts);
    run.emit('execute_start');
    const result = refuse(run, reject('SKIPPED', `${call.name} was not run, since a call before it was denied`).error);
    run.emit('execute_end', { result });
    return result;
  }
}

/** The positions of the calls in the order in which they queue. */
function orderOf(
  calls: readonly ToolCall[],
  context: BatchContext,
  isRead: (name: string) => boolean,
): readonly number[] {
  const positions = calls.map((_, index) => index);
  if (context.mode !== 'reads-then-writes') return positions;
  return [
    ...positions.filter((index) => isRead(calls[index]!.name)),
    ...positions.filter((index) => !isRead(calls[index]!.name)),
  ];
}

/** A lease whose call never overlaps with another. */
function aloneOnly(lease: Lease): Lease {
  return { acquire: (_, signal) => lease.acquire(alone, signal), release: () => lease.release() };
}

function notify(context: BatchContext, result: ToolResult, index: number): void {
  try {
    context.onResult?.(result, index);
  } catch {
    // A listener's failure is its own.
  }
}
