import { parseArgs, toToolCall, type FinishReason, type MessageToolCall, type ToolCall } from '@haft/core';
import { findQuotes } from '@haft/core/quotes';
import { extractToolCalls, type ExtractedCall } from '@haft/repair/calls';
import { isProse, type RefusedText } from './correct-refused-calls.ts';
import { toMessageCall, toOwnMessageCall } from '../../history/message-call.ts';
import { emit, report, type RunState } from '../../run/run-state.ts';
import type { ModelAnswer, WrittenCall } from '../model/read-stream.ts';
import type { ShownTools } from '../model/show-tools.ts';

/** One call of a turn, for the conversation and for dispatch. */
export interface FoundCall {
  readonly message: MessageToolCall;
  readonly dispatched: ToolCall;
  readonly envelope?: string;
}

/** The calls of a turn. */
export interface FoundCalls {
  /** The answer without its textual calls. */
  readonly text: string;
  readonly calls: readonly FoundCall[];
  readonly origin: 'structured' | 'text';
  /** Text that looked like a call but was not run. The model is informed. */
  readonly refused: readonly RefusedText[];
}

/** Returns the structured calls or, without any, the calls found in the text. */
export function findCalls(run: RunState, turn: number, tools: ShownTools, answer: ModelAnswer): FoundCalls {
  const found = answer.calls.length > 0 ? structured(run, turn, tools, answer) : written(run, turn, tools, answer);
  if (found.calls.length > 0) {
    const { calls, origin, text } = found;
    emit(run, { type: 'calls', turn, calls: calls.map((call) => call.message), origin, text });
  }
  return found;
}

function structured(run: RunState, turn: number, tools: ShownTools, answer: ModelAnswer): FoundCalls {
  const calls = answer.calls.map((call) => structuredCall(run, turn, tools, call, stoppedBy(answer.finishReason)));
  return { text: answer.text, calls, origin: 'structured', refused: [] };
}

function structuredCall(
  run: RunState,
  turn: number,
  tools: ShownTools,
  call: WrittenCall,
  stopped: Stopped,
): FoundCall {
  const { name, isCut } = call;
  const id = claimId(run, turn, call.id);
  if (isCut) report(run, { kind: 'cut-call', turn, message: `the call ${id} of ${name} never ended`, callId: id });
  const dispatched: ToolCall = { id, name, arguments: call.arguments, stopped: isCut ? 'length' : stopped };
  const decoded = parseArgs(tools.snapshot.get(name)?.input.jsonSchema ?? {}, dispatched);
  // Arguments that needed no repair are pure JSON.
  const message =
    decoded.ok && decoded.risk === 'none'
      ? toOwnMessageCall(id, name, decoded.value, call.arguments.length)
      : toMessageCall(id, name, decoded.ok ? decoded.value : {});
  return { message, dispatched };
}

function written(
  run: RunState,
  turn: number,
  tools: ShownTools,
  { text, finishReason, error }: ModelAnswer,
): FoundCalls {
  const nothing: FoundCalls = { text, calls: [], origin: 'text', refused: [] };
  if (error || run.options.textCalls === 'ignore' || tools.readable.length === 0 || text.trim() === '') return nothing;
  const stopped = stoppedBy(finishReason);
  const extraction = extractToolCalls(text, { tools: tools.readable, stopped });
  const isQuoted = findQuotes(run.messages, tools.readable);
  const quoted = extraction.calls.filter((call) => isQuoted(call, text));
  const meant = extraction.calls.filter((call) => !quoted.includes(call));
  const calls = meant.map((call): FoundCall => {
    const { name, envelope } = call;
    const id = run.ids.claim(`call_${turn}`);
    return { message: toMessageCall(id, name, call.arguments), dispatched: toToolCall(call, id, stopped), envelope };
  });
  const rejected: readonly RefusedText[] = [
    ...extraction.rejected,
    ...quoted.map(({ name }) => ({ reason: 'quoted' as const, name })),
  ];
  for (const { reason, name = 'a tool' } of rejected) {
    report(run, {
      kind: 'rejected-call',
      turn,
      message: `text that looks like a call of ${name} was not run: ${reason}`,
    });
  }
  const rest = quoted.length === 0 ? extraction.text : withoutCalls(text, meant);
  return { text: rest, calls, origin: 'text', refused: rejected.filter((one) => !isProse(one)) };
}

/** Quoted calls stay in the text. */
function withoutCalls(text: string, calls: readonly ExtractedCall[]): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of calls) {
    rest += text.slice(at, Math.max(at, start));
    at = Math.max(at, end);
  }
  return (rest + text.slice(at)).trim();
}

function claimId(run: RunState, turn: number, wanted: string): string {
  const id = run.ids.claim(wanted);
  if (id !== wanted) {
    report(run, {
      kind: 'renamed-call',
      turn,
      message: `the call id ${JSON.stringify(wanted)} is now ${id}`,
      callId: id,
    });
  }
  return id;
}

type Stopped = 'stop' | 'length';

/** Returns whether the model stopped by itself. An unknown reason counts as truncated. */
function stoppedBy(reason: FinishReason): Stopped {
  return reason === 'stop' || reason === 'tool-calls' ? 'stop' : 'length';
}
