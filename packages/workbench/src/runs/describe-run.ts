import { asJson, cutText } from '../contract/as-json.ts';
import type { RunCall, RunDetails, RunSummary, RunTurn } from '../contract/run-data.ts';
import {
  listSteps,
  type RecordedEvent,
  type RecordedLine,
  type RecordedResult,
  type RecordedStep,
} from './recording.ts';
import { textOfContent } from './text-of-recorded-content.ts';

const maxPrompt = 300;

/** Summarizes a recording for the list. */
export function summarizeRun(id: string, savedAt: number, lines: readonly RecordedLine[]): RunSummary {
  const [first] = lines;
  const steps = listSteps(lines);
  const results = lines.flatMap((line) => line.results ?? []);
  const started = results.flatMap(({ startedAt }) => (startedAt === undefined || startedAt === 0 ? [] : [startedAt]));
  const usages = steps.map(usageOf);
  const tokens = sum(usages.map((usage) => usage.totalTokens ?? sum([usage.inputTokens, usage.outputTokens])));
  const costUsd = sum(usages.map((usage) => usage.costUsd));
  return {
    id,
    runId: first?.runId ?? '',
    model: first?.model?.name ?? 'unknown',
    startedAt: started.length === 0 ? savedAt : Math.min(savedAt, ...started),
    state: lines.findLast(({ type }) => type === 'end')?.outcome?.stopReason ?? 'unfinished',
    prompt: promptOf(first).slice(0, maxPrompt),
    turns: steps.at(-1)?.turn ?? 0,
    calls: results.length,
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** Describes a recording by turns. */
export function describeRun(
  id: string,
  savedAt: number,
  lines: readonly RecordedLine[],
  canReplay: boolean,
): RunDetails {
  const outcome = lines.findLast(({ type }) => type === 'end')?.outcome;
  const times = lines.flatMap((line) => line.results ?? []).flatMap(timeOf);
  const start = Math.min(...times.map(([from]) => from));
  return {
    ...summarizeRun(id, savedAt, lines),
    prompt: cutText(promptOf(lines[0])),
    text: cutText(outcome?.text ?? ''),
    ...(outcome?.error === undefined ? {} : { error: outcome.error }),
    steps: listSteps(lines).map((step) => describeStep(step, start)),
    spanMs: times.length === 0 ? 0 : Math.max(...times.map(([, end]) => end)) - start,
    canReplay,
  };
}

function describeStep(step: RecordedStep, start: number): RunTurn {
  const { turn, request, lines } = step;
  const events = lines.flatMap(({ event }) => event ?? []);
  const textOf = (type: string): string =>
    cutText(events.flatMap((event) => (event.type === type ? [event.text ?? ''] : [])).join(''));
  const broken = lines.find(({ type }) => type === 'model-broken');
  const { inputTokens, outputTokens, costUsd } = usageOf(step);
  return {
    turn,
    added: (request.messages ?? [])
      .filter(({ role }) => role !== 'assistant' && role !== 'tool')
      .map(({ role, content }) => ({ role, text: cutText(textOfContent(content)) })),
    tools: request.tools?.length ?? 0,
    reasoning: textOf('reasoning'),
    text: textOf('text'),
    calls: describeCalls(lines, events, start),
    finish: broken ? `failed: ${broken.error?.message ?? 'aborted'}` : (events.at(-1)?.reason ?? 'cut off'),
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

function describeCalls(
  lines: readonly RecordedLine[],
  events: readonly RecordedEvent[],
  start: number,
): readonly RunCall[] {
  const calls = lines.flatMap((line) => line.calls ?? []);
  const results = lines.flatMap((line) => line.results ?? []);
  const written = events.filter(({ type }) => type === 'tool-call');
  return calls.map(({ id, name, arguments: args }, index): RunCall => {
    const result = results[index];
    const given = result?.arguments?.value ?? args ?? {};
    const text = typeof given === 'string' ? cutText(given) : asJson(given);
    const raw = written[index]?.arguments;
    const [time] = result === undefined ? [] : timeOf(result);
    return {
      id,
      name,
      arguments: text,
      ...(raw === undefined || isSameJson(raw, text) ? {} : { written: cutText(raw) }),
      state: result === undefined ? 'unanswered' : result.ok === true ? 'ok' : 'failed',
      forModel: cutText(result === undefined ? '' : readOf(result)),
      ...(result?.error?.code === undefined ? {} : { code: result.error.code }),
      ...(time === undefined ? {} : { startMs: time[0] - start, durationMs: time[1] - time[0] }),
    };
  });
}

/** Returns what the model read: the content, or the error with its hint. */
export function readOf({ content, error }: RecordedResult): string {
  const text = textOfContent(content);
  if (error === undefined) return text;
  return [text, `${error.code}: ${error.message}`, error.hint]
    .filter((line) => line !== undefined && line !== '')
    .join('\n');
}

function timeOf({ startedAt, durationMs }: RecordedResult): readonly (readonly [number, number])[] {
  return startedAt === undefined || startedAt === 0 ? [] : [[startedAt, startedAt + (durationMs ?? 0)]];
}

function usageOf({ lines }: RecordedStep): NonNullable<RecordedEvent['usage']> {
  return Object.assign({}, ...lines.map(({ event }) => event?.usage ?? {})) as NonNullable<RecordedEvent['usage']>;
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

function promptOf(first: RecordedLine | undefined): string {
  const prompt = first?.options?.['prompt'];
  if (typeof prompt === 'string') return prompt;
  return textOfContent(first?.messages?.findLast(({ role }) => role === 'user')?.content);
}

function isSameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    return false;
  }
}
