import { renderForModel, type Effect, type ProgressUpdate, type ToolEvent, type ToolResult } from '@haft/core';
import { renderPart } from '@haft/core/results';
import { asJson, cutText } from '../contract/as-json.ts';
import { explainCoercion, explainRepair } from '../contract/explain-repair.ts';
import type { CallDetails, CallSummary } from '../contract/page-data.ts';
import { changeOf } from '../contract/replacement-of.ts';

/** The events of a call. */
export interface LoggedCall {
  readonly key: string;
  readonly start: ToolEvent;
  progress?: ProgressUpdate;
  end?: ToolEvent;
}

const maxLine = 300;

/** Describes a call in one line. */
export function summarizeCall({ key, start, progress, end }: LoggedCall, isOwn: boolean): CallSummary {
  const { callId, name, sessionId, runId, turn, parentCallId } = start.data;
  const result = end?.data.result;
  const state = end === undefined ? 'running' : stateOf(end, result);
  const line = result === undefined ? progressLine(progress) : resultLine(result);
  const { duration: totalMs } = end ?? {};
  const durationMs = result?.durationMs ?? totalMs;
  return {
    key,
    callId,
    name,
    state,
    line: line.replaceAll(/\s+/g, ' ').slice(0, maxLine),
    startedAt: start.timestamp,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(durationMs === undefined || totalMs === undefined ? {} : { waitedMs: Math.max(0, totalMs - durationMs) }),
    sessionId,
    runId,
    turn,
    ...(parentCallId === undefined ? {} : { parentCallId }),
    isOwn,
  };
}

/** Describes a call with its arguments and its result. */
export function describeCall(call: LoggedCall, isOwn: boolean): CallDetails {
  const result = call.end?.data.result;
  return {
    ...summarizeCall(call, isOwn),
    arguments: textOfArguments(call.start.data.args),
    effects: [],
    advisories: [],
    reading: [],
    ...(result && describeResult(result)),
  };
}

/** Returns the masked arguments of a call for the page. Text stays as the model wrote it. */
export function textOfArguments(given: unknown): string {
  return typeof given === 'string' ? cutText(given) : asJson(given);
}

/** Describes a result for the page. */
export function describeResult(result: ToolResult): Omit<CallDetails, keyof CallSummary | 'arguments'> {
  const { summary, diff, structured } = result;
  return {
    forModel: cutText(renderForModel(result)),
    ...(summary === undefined && diff === undefined
      ? {}
      : { forPerson: { summary: summary ?? '', ...(diff && { diff: cutText(diff.patch) }) } }),
    ...(structured === undefined ? {} : { structured: asJson(structured) }),
    effects: result.effects.map(describeEffect),
    advisories: result.advisories,
    reading: describeReading(result),
    ...(result.ok ? {} : { error: errorOf(result.error) }),
  };
}

function errorOf({
  code,
  fault,
  message,
  hint,
}: (ToolResult & { ok: false })['error']): NonNullable<CallDetails['error']> {
  return { code, fault, message: cutText(message), ...(hint === undefined ? {} : { hint }) };
}

function stateOf(end: ToolEvent, result: ToolResult | undefined): CallSummary['state'] {
  if (end.action === 'execute_cancelled') return 'cancelled';
  return result?.ok === true ? 'ok' : 'failed';
}

function resultLine(result: ToolResult): string {
  if (!result.ok) return `${result.error.code}: ${result.error.message}`;
  if (result.summary !== undefined) return result.summary;
  const [first] = result.content;
  if (first === undefined) return '';
  // Removes the fence around a server's text, which users do not need.
  return renderPart(first)
    .slice(0, maxLine * 2)
    .replaceAll(/<\/?untrusted-\w+>/g, '');
}

function progressLine(progress: ProgressUpdate | undefined): string {
  if (progress === undefined) return '';
  const { message, done, total } = progress;
  const part = done === undefined ? '' : `${done}${total === undefined ? '' : ` of ${total}`}`;
  return [message, part].filter((text) => text !== undefined && text !== '').join(', ');
}

function describeEffect(effect: Effect): string {
  if (effect.kind === 'process') {
    const code = effect.exitCode === undefined ? '' : ` (exit code ${effect.exitCode})`;
    return `${effect.background ? 'started' : 'ran'} ${effect.command}${code}`;
  }
  return effect.from === undefined ? `${effect.op} ${effect.path}` : `${effect.op} ${effect.from} to ${effect.path}`;
}

function describeReading({ arguments: report }: ToolResult): readonly string[] {
  if (report === undefined) return [];
  return [
    ...report.repairs.map((repair) => {
      const { from, to } = changeOf(repair);
      const change = `${shorten(from) || 'nothing'}${to === undefined ? '' : ` → ${shorten(to) || 'left out'}`}`;
      return `${change}: ${explainRepair(repair)}`;
    }),
    ...report.coercions.map(({ code, path }) => `${path}: ${explainCoercion(code)}`),
  ];
}

function shorten(text: string): string {
  return text.length > maxLine ? `${text.slice(0, maxLine)}…` : text;
}
