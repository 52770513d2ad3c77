import { failure, toolError, type BatchContext, type ToolResult } from '@haft/core';
import type { CompletedCall } from '../agent-result.ts';
import { notify } from '../notify.ts';
import { emit, report, type RunState } from '../run-state.ts';
import type { FoundCall, FoundCalls } from './find-calls.ts';
import type { ShownTools } from './show-tools.ts';

/** How long a source may take to answer after an abort, before the run goes on without it. */
const abortGraceMs = 5_000;

/** Gets each call its one answer, in call order: by dispatch or, after the limit, by saying that it was not run. */
export async function answerCalls(
  run: RunState,
  turn: number,
  tools: ShownTools,
  found: FoundCalls,
): Promise<readonly CompletedCall[]> {
  if (found.calls.length === 0) return [];
  const heard = new Map<number, CompletedCall>();
  const hear = (result: ToolResult, index: number): CompletedCall => {
    const call = complete(turn, found, found.calls[index]!, result);
    heard.set(index, call);
    emit(run, { type: 'result', turn, call });
    notify(run.options.onToolResult, result, call);
    return call;
  };
  const results = tools.mayCall ? await dispatchAll(run, turn, tools, found, hear) : found.calls.map(limitReached);
  return found.calls.map(
    (call, index) => heard.get(index) ?? hear(results[index] ?? unanswered(run, turn, call), index),
  );
}

async function dispatchAll(
  run: RunState,
  turn: number,
  tools: ShownTools,
  found: FoundCalls,
  hear: (result: ToolResult, index: number) => void,
): Promise<readonly ToolResult[]> {
  const { signal } = run.options;
  let isOpen = true;
  const context: BatchContext = {
    ...circumstances(run, turn),
    snapshot: tools.snapshot,
    onResult: (result, index) => {
      if (isOpen && index in found.calls) hear(result, index);
    },
  };
  try {
    const calls = found.calls.map((call) => call.dispatched);
    return await withinGrace(signal, run.source.dispatchBatch(calls, context));
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    report(run, { kind: 'source-failed', turn, message: `the tool source threw: ${message}` });
    return [];
  } finally {
    isOpen = false;
  }
}

function circumstances(run: RunState, turn: number): BatchContext {
  const { signal, mode, maxParallel, onDenied, toolTimeoutMs, session, sessionId, model } = run.options;
  return {
    runId: run.runId,
    turn,
    inferenceId: `${run.runId}/${turn}`,
    messageId: `${run.runId}/${turn}`,
    modelName: model.name,
    messages: run.messages,
    ...(signal && { signal }),
    ...(mode && { mode }),
    ...(maxParallel !== undefined && { maxParallel }),
    ...(onDenied && { onDenied }),
    ...(toolTimeoutMs !== undefined && { timeoutMs: toolTimeoutMs }),
    ...(session && { session, sessionId: session.id }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

/** Waits for the results; after an abort only for a while, since a source from elsewhere may not listen to signals. */
async function withinGrace<Value>(signal: AbortSignal | undefined, results: Promise<Value>): Promise<Value> {
  if (!signal) return results;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => {};
  const tooLate = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new Error('it did not answer after the abort')), abortGraceMs);
    };
  });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([results, tooLate]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function complete(turn: number, { origin }: FoundCalls, call: FoundCall, result: ToolResult): CompletedCall {
  const { message, dispatched, envelope } = call;
  return { turn, call: message, written: dispatched.arguments, origin, ...(envelope && { envelope }), result };
}

function limitReached({ dispatched }: FoundCall): ToolResult {
  const error = toolError('LIMIT_REACHED', 'the limit of tool calls is reached, so this call was not run');
  return failure(dispatched.id, error, { name: dispatched.name });
}

function unanswered(run: RunState, turn: number, { dispatched }: FoundCall): ToolResult {
  const { id, name } = dispatched;
  if (run.options.signal?.aborted) return failure(id, toolError('ABORTED', 'the call was cancelled'), { name });
  report(run, {
    kind: 'source-failed',
    turn,
    message: `the tool source left the call ${id} of ${name} unanswered`,
    callId: id,
  });
  return failure(id, toolError('EXECUTION_ERROR', 'the tool source did not answer this call'), { name });
}
