import type { CallQueue, Lease } from '../contracts/calls/call-queue.ts';
import type { BatchContext, ToolCall } from '../contracts/calls/call.ts';
import type { Footprint } from '../contracts/permission/footprint.ts';
import type { AnyTool, ToolSnapshot } from '../contracts/tools/tool.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import { describeCause } from '../describe-cause.ts';
import { notifyListener } from '../notify-listener.ts';
import { showValue } from '../options/show-option-value.ts';
import { readCallOptions, type CallOptions } from './call/read-call.ts';
import { dispatchCall, skipCall } from './dispatch-call.ts';
import type { DispatcherConfig } from './options/dispatcher-config.ts';
import { alone, readsAnything } from './lease/call-footprint.ts';
import { createLeaseQueue } from './lease/lease-queue.ts';
import { listCalls, noListOfCalls } from './list-batch-calls.ts';

interface BatchOptions {
  readonly mode: NonNullable<BatchContext['mode']>;
  readonly maxParallel: number;
  readonly shouldSkip: boolean;
  readonly onResult: BatchContext['onResult'];
  /** Why the batch is invalid. */
  readonly problem: string | undefined;
}

const modes = ['leases', 'reads-then-writes', 'parallelizable', 'serial'];
const afterDenial = ['continue', 'skip', 'stop'];

/**
 * Runs the calls of one turn. Calls whose footprints do not conflict run concurrently, and the others wait in call
 * order. Returns one result per call, in call order, regardless of other failures. If the value is not an array of
 * calls, returns a single result with the error.
 */
export async function dispatchBatch(
  given: readonly ToolCall[],
  context: BatchContext | undefined,
  config: DispatcherConfig,
): Promise<readonly ToolResult[]> {
  const listed = listCalls(given);
  // An invalid list gets one failed result, because an empty array would hide the mistake.
  const calls = listed ?? [given];
  const options = readBatchOptions(context, listed === undefined ? noListOfCalls : undefined);
  const { shouldSkip, onResult } = options;
  const callOptions = forBatch(readCallOptions(context), options, config);
  const leases = takePlaces(calls, options, callOptions);
  let wasDenied = false;

  return Promise.all(
    calls.map(async (call, index) => {
      const lease = leases[index];
      // With `skip` and `stop`, a waiting call never starts after another call is denied.
      if (shouldSkip) await lease?.acquire(alone, callOptions.signal);
      const run = shouldSkip && wasDenied ? skipCall : dispatchCall;
      const result = await run(call, callOptions, config, lease);
      if (!result.ok && result.error.code === 'PERMISSION_DENIED') wasDenied = true;
      lease?.release();
      if (onResult) notifyListener((received) => onResult(received, index), result);
      return result;
    }),
  );
}

function readBatchOptions(context: BatchContext | null | undefined, noList: string | undefined): BatchOptions {
  try {
    const { mode = 'leases', onDenied = 'continue', onResult, maxParallel = 8 } = context ?? {};
    const problem =
      noList !== undefined
        ? noList
        : !modes.includes(mode)
          ? wrongOption('mode', quoted(modes), mode)
          : !afterDenial.includes(onDenied)
            ? wrongOption('onDenied', quoted(afterDenial), onDenied)
            : typeof maxParallel !== 'number' || !(maxParallel >= 1)
              ? wrongOption('maxParallel', 'a number, 1 or above', maxParallel)
              : undefined;
    return { mode, maxParallel, shouldSkip: onDenied !== 'continue', onResult, problem };
  } catch (cause) {
    const problem = `its context can't be read: ${describeCause(cause)}`;
    return { mode: 'serial', maxParallel: 1, shouldSkip: false, onResult: undefined, problem };
  }
}

function wrongOption(name: string, expected: string, value: unknown): string {
  return `context.${name} is not valid (expected ${expected}, got ${showValue(value)})`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** Uses one snapshot for the whole batch, even if the model was not shown one. */
function forBatch(
  callOptions: CallOptions,
  { problem }: BatchOptions,
  config: DispatcherConfig,
): CallOptions & { readonly snapshot: ToolSnapshot } {
  const snapshot = callOptions.snapshot ?? config.registry.snapshot();
  return { ...callOptions, snapshot, problem: callOptions.problem ?? problem };
}

/** Takes a queue position for every call: in call order, or reads first. Takes none if the calls can't run. */
function takePlaces(
  calls: readonly unknown[],
  { mode, shouldSkip, maxParallel }: BatchOptions,
  { queue, snapshot, problem }: CallOptions & { readonly snapshot: ToolSnapshot },
): readonly (Lease | undefined)[] {
  // A single call has no other calls to wait for.
  if (problem !== undefined || (queue === undefined && calls.length < 2)) return [];
  const places: CallQueue = queue ?? createLeaseQueue(maxParallel);
  const plans = calls.map((call) => planCall(call, mode, snapshot));
  const leases: Lease[] = [];
  try {
    for (const isFirst of [true, false]) {
      for (const [index, plan] of plans.entries()) {
        if (plan.isFirst !== isFirst) continue;
        const footprint = shouldSkip ? alone : plan.footprint;
        leases[index] = footprint ? fixLease(places.enter(), footprint) : places.enter();
      }
    }
  } catch {
    // The queue is not valid. A call without a position enters it again, and then reports the error.
  }
  return leases;
}

interface CallPlan {
  /** Whether the call enters the queue before the calls for which this is false. */
  readonly isFirst: boolean;
  /** Replaces the footprint of the tool. */
  readonly footprint?: Footprint;
}

function planCall(call: unknown, mode: BatchOptions['mode'], snapshot: ToolSnapshot): CallPlan {
  if (mode === 'leases') return inOrder;
  if (mode === 'serial') return { isFirst: true, footprint: alone };
  const tool = findTool(call, snapshot);
  const isRead = tool?.traits.readOnly === true;
  if (mode === 'reads-then-writes') return isRead ? inOrder : { isFirst: false, footprint: alone };
  if (!tool?.parallelizable) return { isFirst: false, footprint: alone };
  if (!isRead) return { isFirst: false, footprint: readsAnything };
  // Each read writes its own key, so that reads overlap. The other calls read all keys, so they wait for the reads.
  readCount += 1;
  return { isFirst: true, footprint: { reads: [], writes: [`read:${readCount}`] } };
}

const inOrder: CallPlan = { isFirst: true };
/** Number of reads in mode `parallelizable`, for keys that no other batch uses. */
let readCount = 0;

function findTool(call: unknown, snapshot: ToolSnapshot): AnyTool | undefined {
  try {
    return snapshot.get((call as ToolCall).name);
  } catch {
    return undefined;
  }
}

/** Wraps a lease so that its call always uses the given footprint. */
function fixLease(lease: Lease, footprint: Footprint): Lease {
  return { acquire: (_, signal) => lease.acquire(footprint, signal), release: () => lease.release() };
}
