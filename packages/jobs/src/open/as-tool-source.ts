import {
  createCallQueue,
  failure,
  toolError,
  type BatchContext,
  type CallContext,
  type Footprint,
  type ToolCall,
  type ToolResult,
  type ToolSource,
} from '@haft/core';
import { describeCause } from '@haft/core/results';

import type { Job, SubmitOptions, ToolSourceOptions } from '../contracts/job.ts';
import { footprintOf } from '../worker/tool-needs.ts';
import type { HeldJob } from '../worker/held-job.ts';
import { schemaHashOf } from '../worker/schema-hash.ts';
import { storable } from './new-job.ts';

/**
 * Wraps a source so that its calls run as jobs, here or on another host. Calls of one batch that conflict wait for each
 * other, in call order. Calls of tools that the source does not have are answered by the source itself.
 */
export function createJobSource(
  submit: (call: ToolCall, options: SubmitOptions) => Promise<Job>,
  source: ToolSource,
  { host, ...options }: ToolSourceOptions & { readonly host?: HeldJob } = {},
): ToolSource {
  const { keyOf = (_, context) => context.idempotencyKey, ...place } = options;

  const dispatch = async (call: ToolCall, context: CallContext = {}): Promise<ToolResult> => {
    const tool = (context.snapshot ?? source.snapshot()).get(call?.name);
    if (tool === undefined || context.signal?.aborted === true) return source.dispatch(call, context);
    try {
      const key = keyOf(call, context);
      const { timeoutMs } = context;
      const job = await submit(call, {
        ...place,
        ...(key === undefined ? {} : { key }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        schemaHash: schemaHashOf(tool),
        context: storable(context),
      });
      const following = follow(job, context, () => host?.isReleased !== true && host?.isLost !== true);
      const result = await (host?.waitFor(following) ?? following);
      // An earlier job with the same key may belong to another call.
      return { ...result, callId: call.id };
    } catch (cause) {
      const error = toolError('EXECUTION_ERROR', `running ${call.name} as a job failed: ${describeCause(cause)}`, {
        cause,
      });
      return { ...failure(call.id, error), name: call.name };
    }
  };

  const dispatchBatch = async (
    calls: readonly ToolCall[],
    context: BatchContext = {},
  ): Promise<readonly ToolResult[]> => {
    // The source explains what is wrong with a list that is not one.
    if (!Array.isArray(calls)) return source.dispatchBatch(calls, context);
    const { mode = 'leases', onDenied = 'continue', maxParallel = 8, onResult, queue: given, ...rest } = context;
    const isSerial = mode !== 'leases' || onDenied !== 'continue';
    const queue = given ?? createCallQueue({ maxParallel: isSerial ? 1 : maxParallel });
    const leases = calls.map(() => queue.enter());
    let wasDenied = false;
    return Promise.all(
      calls.map(async (call, index) => {
        const lease = leases[index]!;
        await lease.acquire(isSerial ? alone : batchFootprintOf(source, call), rest.signal);
        const isSkipped = wasDenied && onDenied !== 'continue';
        const result = isSkipped ? skipped(call) : await dispatch(call, rest);
        lease.release();
        if (!result.ok && result.error.code === 'PERMISSION_DENIED') wasDenied = true;
        try {
          onResult?.(result, index);
        } catch {
          // A failing listener does not affect the results.
        }
        return result;
      }),
    );
  };

  return {
    snapshot: () => source.snapshot(),
    visibleTo: (model) => source.visibleTo(model),
    dispatch,
    dispatchBatch,
    forgetTask: (taskId) => source.forgetTask?.(taskId),
  };
}

const alone: Footprint = { reads: [], writes: ['*'] };

/** Returns the footprint that orders the calls of a batch, as the dispatcher defines it for a tool without one. */
function batchFootprintOf(source: ToolSource, call: ToolCall): Footprint {
  const tool = source.snapshot().get(call?.name);
  if (tool === undefined) return { reads: [], writes: [] };
  if (tool.footprint !== undefined) return footprintOf(tool, call, process.cwd()) ?? { reads: [], writes: [] };
  if (!tool.parallelizable) return alone;
  return tool.traits.readOnly ? { reads: ['*'], writes: [] } : { reads: [], writes: [] };
}

function skipped(call: ToolCall): ToolResult {
  const error = toolError('SKIPPED', `${call.name} did not run, because an earlier call was denied`);
  return { ...failure(call.id, error), name: call.name };
}

/**
 * Waits for the result, passes progress on, and cancels the job when the caller cancels the call.
 *
 * @param isCancelled - whether an abort cancels the job. Otherwise it only ends the wait.
 */
async function follow(job: Job, { signal, onProgress }: CallContext, isCancelled: () => boolean): Promise<ToolResult> {
  const left = new AbortController();
  const cancel = (): void => {
    if (isCancelled()) void job.cancel('by the caller').catch(() => undefined);
    // The run continues elsewhere and needs the result.
    else left.abort(signal?.reason);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted === true) cancel();
  try {
    if (onProgress !== undefined) {
      for await (const { kind, data } of job.events({ signal: left.signal })) if (kind === 'progress') onProgress(data);
    }
    return await job.result({ signal: left.signal });
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
