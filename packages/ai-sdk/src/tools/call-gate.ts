import { failure, toolError, type BatchContext, type ToolCall, type ToolResult, type ToolSource } from '@haft/core';
import { withLoopOptions, type LoopOptions } from './loop-options.ts';

/** Accepts single calls from another agent loop and runs them in batches. */
export interface CallGate {
  /** Resolves to the result of the call. Never rejects. */
  run(call: ToolCall, signal: AbortSignal | undefined, options: LoopOptions): Promise<ToolResult>;
}

interface PendingCall {
  readonly call: ToolCall;
  readonly signal: AbortSignal | undefined;
  readonly options: LoopOptions;
  readonly resolve: (result: ToolResult) => void;
}

/**
 * Creates a gate for a source. Calls that arrive together form one batch, which the source schedules. Batches of
 * parallelizable read-only tools may overlap; any other batch waits for all earlier ones, and later ones wait for it.
 */
export function createCallGate(source: ToolSource, context: BatchContext): CallGate {
  const snapshot = context.snapshot ?? source.snapshot();
  const running = new Set<Promise<void>>();
  let pending: PendingCall[] = [];
  let lastExclusive: Promise<void> = Promise.resolve();

  const mayOverlap = ({ call }: PendingCall): boolean => {
    const tool = snapshot.get(call.name);
    return tool !== undefined && tool.traits.readOnly && tool.parallelizable;
  };

  const launch = (batch: readonly PendingCall[]): void => {
    const overlaps = batch.every(mayOverlap);
    const before: Promise<unknown> = overlaps ? lastExclusive : Promise.all(running);
    const run = before.then(() => runBatch(source, batch, { ...context, snapshot })).finally(() => running.delete(run));
    running.add(run);
    if (!overlaps) lastExclusive = run;
  };

  const flush = (): void => {
    const calls = pending;
    pending = [];
    // A batch has one signal, which the calls of a turn usually share.
    const signals = new Set(calls.map((call) => call.signal));
    for (const signal of signals) launch(calls.filter((call) => call.signal === signal));
  };

  return {
    run: (call, signal, options) =>
      new Promise((resolve) => {
        pending.push({ call, signal, options, resolve });
        // The AI SDK starts the calls of a turn one by one, a few awaits apart.
        if (pending.length === 1) setTimeout(flush, 0);
      }),
  };
}

async function runBatch(source: ToolSource, batch: readonly PendingCall[], context: BatchContext): Promise<void> {
  const { signal } = batch[0]!;
  try {
    const results = await source.dispatchBatch(
      batch.map((pending) => pending.call),
      {
        ...withLoopOptions(context, batch),
        ...(signal && { signal }),
        onResult: (result, index) => batch[index]?.resolve(result),
      },
    );
    for (const [index, pending] of batch.entries()) pending.resolve(results[index] ?? unanswered(pending.call));
  } catch (cause) {
    for (const pending of batch) pending.resolve(unanswered(pending.call, cause));
  }
}

function unanswered({ id, name }: ToolCall, cause?: unknown): ToolResult {
  return failure(id, toolError('EXECUTION_ERROR', 'the tool source returned no result for this call', { cause }), {
    name,
  });
}
