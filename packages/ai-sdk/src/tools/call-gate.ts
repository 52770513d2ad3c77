import { failure, toolError, type BatchContext, type ToolCall, type ToolResult, type ToolSource } from '@haft/core';

/** Takes calls one by one, as a foreign loop makes them, and runs them as the batches they were meant as. */
export interface CallGate {
  /** Resolves to the call's one result; never rejects. */
  run(call: ToolCall, signal: AbortSignal | undefined): Promise<ToolResult>;
}

interface Waiting {
  readonly call: ToolCall;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: ToolResult) => void;
}

/**
 * Makes a gate before a source. Calls that come in together become one batch, which the source schedules by what they
 * touch. Between batches, those of read-only tools that may overlap do; any other waits for all before it, and all after wait for it.
 */
export function createCallGate(source: ToolSource, context: BatchContext): CallGate {
  const snapshot = context.snapshot ?? source.snapshot();
  const running = new Set<Promise<void>>();
  let waiting: Waiting[] = [];
  let lastAlone: Promise<void> = Promise.resolve();

  const mayOverlap = ({ call }: Waiting): boolean => {
    const tool = snapshot.get(call.name);
    return tool !== undefined && tool.traits.readOnly && tool.parallelizable;
  };

  const launch = (batch: readonly Waiting[]): void => {
    const overlaps = batch.every(mayOverlap);
    const before: Promise<unknown> = overlaps ? lastAlone : Promise.all(running);
    const run = before.then(() => runBatch(source, batch, { ...context, snapshot })).finally(() => running.delete(run));
    running.add(run);
    if (!overlaps) lastAlone = run;
  };

  const flush = (): void => {
    const calls = waiting;
    waiting = [];
    // A batch has one signal; calls of one turn usually share theirs.
    const signals = new Set(calls.map((call) => call.signal));
    for (const signal of signals) launch(calls.filter((call) => call.signal === signal));
  };

  return {
    run: (call, signal) =>
      new Promise((resolve) => {
        waiting.push({ call, signal, resolve });
        // The loop starts the calls of a turn one after the other, some awaits apart.
        if (waiting.length === 1) setTimeout(flush, 0);
      }),
  };
}

async function runBatch(source: ToolSource, batch: readonly Waiting[], context: BatchContext): Promise<void> {
  const { signal } = batch[0]!;
  try {
    const results = await source.dispatchBatch(
      batch.map((waiting) => waiting.call),
      { ...context, ...(signal && { signal }), onResult: (result, index) => batch[index]?.resolve(result) },
    );
    for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] ?? unanswered(waiting.call));
  } catch (cause) {
    for (const waiting of batch) waiting.resolve(unanswered(waiting.call, cause));
  }
}

function unanswered({ id, name }: ToolCall, cause?: unknown): ToolResult {
  return failure(id, toolError('EXECUTION_ERROR', 'the tool source did not answer this call', { cause }), { name });
}
