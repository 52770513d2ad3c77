import { toolError, type Message, type ModelEvent, type ModelRequest, type ToolError, type Usage } from '@haft/core';
import { pause } from '../../abortable.ts';
import { keep, keepAnswer, recallAnswer } from '../../durable/durable-turn.ts';
import { emit, report, type RunEnd, type RunState } from '../../run/run-state.ts';
import { traceRequest } from '../../run/trace-step.ts';
import { addUsage } from '../../usage.ts';
import { simplifyHistory } from './simplify-request-history.ts';
import { retryAfterOf } from './model-error.ts';
import { readStream, type ModelAnswer } from './read-stream.ts';
import type { ShownTools } from './show-tools.ts';
import { createInputNotifier } from './input-notifier.ts';

/** Requests the model's answer with retries. Ends the run if all attempts fail. */
export async function infer(run: RunState, turn: number, tools: ShownTools): Promise<ModelAnswer | RunEnd> {
  const { model, idleTimeoutMs = 60_000 } = run.options;
  // After the working time, only the caller can abort the last request; otherwise its own time limit ends it.
  const signal = tools.mayCall ? run.meter.signal : run.signal;
  const kept = recallAnswer(run, turn) as ModelAnswer | undefined;
  if (kept) return kept;
  for (let attempt = 1; ; attempt += 1) {
    const request = makeRequest(run, tools);
    const bounds = { idleTimeoutMs, requestTimeoutMs: timeFor(run, tools), signal };
    await keep(run, (log) => log.ask(turn));
    const notifyTools = tools.mayCall ? createInputNotifier(tools.snapshot) : undefined;
    const { answer, usage, error } = await traceRequest(run, { turn, attempt, request }, async (onEvent) => {
      const answer = await readStream(model, request, bounds, (event) => {
        onEvent();
        forwardEvent(run, turn, event);
        notifyTools?.(event);
      });
      return { answer, usage: priced(run, answer.usage), error: answer.error ?? emptyAnswer(answer) };
    });
    run.lastUsage = usage;
    run.usage = addUsage(run.usage, run.lastUsage);
    if (signal?.aborted) return answer;
    if (!error) {
      await keepAnswer(run, turn, answer);
      return answer;
    }
    if (simplifyHistory(run, turn, error)) {
      emit(run, { type: 'retry', turn, attempt, delayMs: 0, error });
      continue;
    }
    const isLate = !tools.mayCall && run.meter.msLeft <= 1;
    const delayMs = isLate ? undefined : delayBefore(run, attempt, error);
    if (delayMs === undefined) {
      run.text = answer.text;
      run.finishReason = answer.finishReason;
      return isLate ? { stopReason: 'limit', limit: 'wall-time', error } : { stopReason: 'error', error };
    }
    report(run, { kind: 'request-retried', turn, message: error.message });
    emit(run, { type: 'retry', turn, attempt, delayMs, error });
    await pause(signal, delayMs);
    if (run.signal?.aborted) return { stopReason: 'aborted' };
    if (signal?.aborted) return { ...answer, error };
  }
}

const lastRequest: Message = {
  role: 'user',
  content:
    'A limit is reached: no more tools can be called. Answer now with what you know, and say what is left to do.',
};

/** Returns whether the request contains the schema. Not every vendor supports a schema together with tools. */
function carriesSchema({ output }: RunState, tools: ShownTools): boolean {
  if (!output || output.strategy === 'tool') return false;
  return output.strategy === 'native' || !tools.mayCall;
}

/** Returns the timeout of one request, limited by the run's time. */
function timeFor(run: RunState, tools: ShownTools): number {
  const { requestTimeoutMs = 600_000 } = run.options;
  return tools.mayCall ? requestTimeoutMs : Math.min(requestTimeoutMs, run.meter.msLeft);
}

/** Adds the cost from `costOf` to a usage report. */
function priced({ options }: RunState, usage: Usage): Usage {
  if (!options.costOf || usage.costUsd !== undefined) return usage;
  try {
    const costUsd = options.costOf(usage);
    return typeof costUsd === 'number' && costUsd >= 0 ? { ...usage, costUsd } : usage;
  } catch {
    return usage;
  }
}

function makeRequest(run: RunState, tools: ShownTools): ModelRequest {
  const { temperature, maxOutputTokens, thinking, thinkingBudget } = run.options;
  return {
    // The messages are not copied, because a copy per request would slow down long runs.
    messages: run.meter.reached === undefined ? run.messages : [...run.messages, lastRequest],
    tools: tools.offered,
    ...(tools.requiredTool !== undefined && { toolChoice: { name: tools.requiredTool } }),
    ...(carriesSchema(run, tools) && { responseSchema: run.output!.jsonSchema }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(thinking !== undefined && { thinking }),
    ...(thinkingBudget !== undefined && { thinkingBudget }),
  };
}

/** Treats an empty answer as a failure, even if the stream ended normally. */
function emptyAnswer({ text, calls, finishReason, unread }: ModelAnswer): ToolError | undefined {
  if (text.trim() !== '' || calls.length > 0) return undefined;
  const isFiltered = finishReason === 'content-filter';
  const message = isFiltered
    ? "the vendor's content filter withheld the answer"
    : unread === undefined
      ? 'the model returned an empty answer'
      : `the model returned an empty answer, and yielded something that is not an event (expected a type such as "text", "tool-call" or "finish", got ${unread})`;
  return toolError('MODEL_FAILED', message, { retryable: !isFiltered, details: { reason: 'empty', finishReason } });
}

/** Returns the delay before the next attempt, or undefined if there are no more attempts. */
function delayBefore(run: RunState, attempt: number, error: ToolError): number | undefined {
  const { max = 3, delayMs = 500, maxDelayMs = 60_000 } = run.options.retries ?? {};
  if (!error.retryable || attempt > max) return undefined;
  const requestedMs = retryAfterOf(error);
  if (requestedMs === undefined) return Math.min(delayMs * 2 ** (attempt - 1), maxDelayMs);
  return requestedMs <= maxDelayMs ? requestedMs : undefined;
}

function forwardEvent(run: RunState, turn: number, event: ModelEvent): void {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      emit(run, { type: event.type, turn, text: event.text });
      break;
    case 'tool-call-start':
      emit(run, { type: 'tool-call-start', turn, id: event.id, name: event.name });
      break;
    case 'tool-call-delta':
      emit(run, { type: 'tool-call-delta', turn, id: event.id, text: event.text });
      break;
    default:
  }
}
