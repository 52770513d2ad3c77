import { failure, toolError, type BatchContext, type Message, type ToolResult } from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { CompletedCall } from '../../contracts/agent-result.ts';
import { notify } from '../../notify.ts';
import { emit, report, type RunState } from '../../run/run-state.ts';
import type { FoundCall, FoundCalls } from './find-calls.ts';
import type { ShownTools } from '../model/show-tools.ts';
import { createAnswer } from './create-answer.ts';
import { fitResults } from './fit-call-results.ts';

/** How long the run waits for a source after an abort. */
const abortGraceMs = 5_000;

/** One call with its answer and its tool message. */
export interface AnsweredCall {
  readonly completed: CompletedCall;
  readonly message: Message;
}

/**
 * Answers each call exactly once, in call order: by dispatch or, at a limit, with the information that it was not run.
 */
export async function answerCalls(
  run: RunState,
  turn: number,
  tools: ShownTools,
  found: FoundCalls,
): Promise<readonly AnsweredCall[]> {
  if (found.calls.length === 0) return [];
  const answered = new Map<number, AnsweredCall>();
  const addResult = (given: ToolResult, index: number): AnsweredCall => {
    const known = answered.get(index);
    if (known) return known;
    const call = found.calls[index]!;
    const { result, message, isReplaced } = createAnswer(call, given);
    if (isReplaced) reportSource(run, turn, `${call.dispatched.name} returned an invalid result`, result.callId);
    const completed = complete(turn, found, call, result);
    const answer = { completed, message };
    answered.set(index, answer);
    emit(run, { type: 'result', turn, call: completed });
    notify(run.options.onToolResult, result, completed);
    return answer;
  };
  const runnable = runnableCalls(run, tools, found);
  if (tools.mayCall) run.meter.countCalls(runnable.length);
  const isPrefix = runnable.length === 0 || runnable[0] === found.calls[0];
  const addRunnableResult = isPrefix
    ? addResult
    : (result: ToolResult, at: number) => void addResult(result, found.calls.indexOf(runnable[at]!));
  const results = runnable.length === 0 ? [] : await dispatchAll(run, turn, tools, runnable, addRunnableResult);
  const answers = found.calls.map(
    (call, index) =>
      answered.get(index) ??
      addResult(
        runnable.includes(call) ? (results[runnable.indexOf(call)] ?? unanswered(run, turn, call)) : limitReached(call),
        index,
      ),
  );
  return fitResults(run, turn, answers);
}

/** Returns the calls that the limits allow: the first ones or, at the limit, those of the output tool. */
function runnableCalls({ meter }: RunState, tools: ShownTools, { calls }: FoundCalls): readonly FoundCall[] {
  if (tools.requiredTool !== undefined) return calls.filter(({ dispatched }) => dispatched.name === tools.requiredTool);
  if (!tools.mayCall || meter.reached !== undefined) return [];
  return calls.length <= meter.callsLeft ? calls : calls.slice(0, Math.max(0, meter.callsLeft));
}

async function dispatchAll(
  run: RunState,
  turn: number,
  tools: ShownTools,
  runnable: readonly FoundCall[],
  addResult: (result: ToolResult, index: number) => void,
): Promise<readonly ToolResult[]> {
  const { signal } = run.meter;
  let isOpen = true;
  const context: BatchContext = {
    ...createBatchContext(run, turn),
    snapshot: tools.snapshot,
    onResult: (result, index) => {
      if (isOpen && Number.isInteger(index) && index in runnable) addResult(result, index);
    },
  };
  try {
    const calls = runnable.map((call) => call.dispatched);
    const results = await withinGrace(signal, run.options.forceSignal, run.source.dispatchBatch(calls, context));
    return Array.isArray(results) ? (results as readonly ToolResult[]) : [];
  } catch (cause) {
    const message = describeCause(cause);
    reportSource(run, turn, `the tool source threw: ${message}`);
    return [];
  } finally {
    isOpen = false;
  }
}

function createBatchContext(run: RunState, turn: number): BatchContext {
  const { signal } = run.meter;
  const { mode, maxParallel, onDenied, toolTimeoutMs, session, sessionId, model } = run.options;
  return {
    runId: run.runId,
    turn,
    inferenceId: `${run.runId}/${turn}`,
    messageId: `${run.runId}/${turn}`,
    modelName: model.name,
    model,
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

/** Waits for the results. After an abort, waits only for a limited time, because a source may ignore the signal. */
async function withinGrace<Value>(
  signal: AbortSignal | undefined,
  force: AbortSignal | undefined,
  results: Promise<Value>,
): Promise<Value> {
  if (!signal) return results;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => {};
  let onForce = (): void => {};
  const tooLate = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(
        () => reject(new Error('the tool source did not answer within the time limit after the abort')),
        abortGraceMs,
      );
    };
    onForce = () => reject(new Error('the tool source had not answered when the run was forced to end'));
  });
  signal.addEventListener('abort', onAbort, { once: true });
  force?.addEventListener('abort', onForce, { once: true });
  if (signal.aborted) onAbort();
  if (force?.aborted) onForce();
  try {
    return await Promise.race([results, tooLate]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    force?.removeEventListener('abort', onForce);
  }
}

function complete(turn: number, { origin }: FoundCalls, call: FoundCall, result: ToolResult): CompletedCall {
  const { message, dispatched, envelope } = call;
  return { turn, call: message, written: dispatched.arguments, origin, ...(envelope && { envelope }), result };
}

function limitReached({ dispatched }: FoundCall): ToolResult {
  const error = toolError('LIMIT_REACHED', 'no more tools can be called, so this call was not run');
  return failure(dispatched.id, error, { name: dispatched.name });
}

function unanswered(run: RunState, turn: number, { dispatched }: FoundCall): ToolResult {
  const { id, name } = dispatched;
  if (run.meter.signal?.aborted) return failure(id, toolError('ABORTED', 'the call was cancelled'), { name });
  reportSource(run, turn, `the tool source left the call ${id} of ${name} unanswered`, id);
  return failure(id, toolError('EXECUTION_ERROR', 'the tool source did not answer this call'), { name });
}

function reportSource(run: RunState, turn: number, message: string, callId?: string): void {
  report(run, { kind: 'source-failed', turn, message, ...(callId !== undefined && { callId }) });
}
