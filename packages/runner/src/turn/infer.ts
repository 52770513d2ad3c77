import { toolError, type Message, type ModelEvent, type ModelRequest, type ToolError } from '@haft/core';
import { pause } from '../abortable.ts';
import { emit, report, type RunEnd, type RunState } from '../run-state.ts';
import { addUsage } from '../usage.ts';
import { retryAfterOf } from './model-error.ts';
import { readStream, type ModelAnswer } from './read-stream.ts';
import type { ShownTools } from './show-tools.ts';
import { createToolTeller } from './tell-tools.ts';

/** Gets the model's answer, trying again where that can help. Ends the run when no answer can be had. */
export async function infer(run: RunState, turn: number, tools: ShownTools): Promise<ModelAnswer | RunEnd> {
  const { model, signal, idleTimeoutMs = 60_000, requestTimeoutMs = 600_000 } = run.options;
  const request = makeRequest(run, tools);
  for (let attempt = 1; ; attempt += 1) {
    const bounds = { idleTimeoutMs, requestTimeoutMs, signal };
    const tell = tools.mayCall ? createToolTeller(tools.snapshot) : undefined;
    const answer = await readStream(model, request, bounds, (event) => {
      retell(run, turn, event);
      tell?.(event);
    });
    run.usage = addUsage(run.usage, answer.usage);
    if (signal?.aborted) return answer;
    const error = answer.error ?? emptyAnswer(answer);
    if (!error) return answer;
    const delayMs = delayBefore(run, attempt, error);
    if (delayMs === undefined) {
      run.text = answer.text;
      run.finishReason = answer.finishReason;
      return { stopReason: 'error', error };
    }
    report(run, { kind: 'request-retried', turn, message: error.message });
    emit(run, { type: 'retry', turn, attempt, delayMs, error });
    await pause(signal, delayMs);
    if (signal?.aborted) return { stopReason: 'aborted' };
  }
}

const lastRequest: Message = {
  role: 'user',
  content:
    'The limit of tool calls is reached: no tool can be called any more. Answer now with what you know, and say what is left to do.',
};

function makeRequest(run: RunState, tools: ShownTools): ModelRequest {
  const { temperature, maxOutputTokens } = run.options;
  return {
    messages: tools.mayCall ? [...run.messages] : [...run.messages, lastRequest],
    tools: tools.offered,
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

/** An answer without anything in it is a failure, though the stream ended well. */
function emptyAnswer({ text, calls, finishReason }: ModelAnswer): ToolError | undefined {
  if (text.trim() !== '' || calls.length > 0) return undefined;
  const isFiltered = finishReason === 'content-filter';
  const message = isFiltered ? "the vendor's filter held the whole answer back" : 'the model answered nothing';
  return toolError('MODEL_FAILED', message, { retryable: !isFiltered, details: { reason: 'empty', finishReason } });
}

/** How long to wait before the next attempt; nothing when there is none. */
function delayBefore(run: RunState, attempt: number, error: ToolError): number | undefined {
  const { attempts = 3, delayMs = 500, maxDelayMs = 60_000 } = run.options.retry ?? {};
  if (!error.retryable || attempt > attempts) return undefined;
  const asked = retryAfterOf(error);
  if (asked === undefined) return Math.min(delayMs * 2 ** (attempt - 1), maxDelayMs);
  return asked <= maxDelayMs ? asked : undefined;
}

function retell(run: RunState, turn: number, event: ModelEvent): void {
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
