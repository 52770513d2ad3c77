import { toolError, type FinishReason, type ModelRequest, type ToolError, type Usage } from '@haft/core';
import type { RunStep, RunStepOutcome, RunTracing, TracedStep } from '@haft/core/events';
import { describeCause } from '@haft/core/results';
import type { AgentResult } from '../contracts/agent-result.ts';
import type { RunEnd, RunState } from './run-state.ts';

/** Traces a run. */
export function traceRun(run: RunState, work: () => Promise<AgentResult>): Promise<AgentResult> {
  const { tracing, session, agentName } = run.options;
  const step = (): RunStep => ({
    kind: 'run',
    ...idsOf(run),
    ...modelOf(run),
    ...(session && { session }),
    ...(agentName !== undefined && { agentName }),
  });
  return traceStep(tracing, step, work, ({ error, usage, finishReason, stopReason, turns }) => ({
    usage,
    stopReason,
    turns,
    ...(finishReason && { finishReason }),
    ...(error && { error }),
  }));
}

/** Traces one turn. */
export function traceTurn(
  run: RunState,
  turn: number,
  work: () => Promise<RunEnd | undefined>,
): Promise<RunEnd | undefined> {
  const step = (): RunStep => ({ kind: 'turn', ...idsOf(run), turn });
  return traceStep(run.options.tracing, step, work, (end) => (end?.error ? { error: end.error } : {}));
}

/** One request to the model. */
interface TracedRequest {
  readonly turn: number;
  readonly attempt: number;
  readonly request: ModelRequest;
}

/** The answer to a request, as far as it is traced. */
interface TracedAnswer {
  readonly answer: { readonly finishReason: FinishReason };
  readonly usage: Usage;
  readonly error: ToolError | undefined;
}

/** Traces one request. `work` must report the events of the answer. */
export function traceRequest<Answer extends TracedAnswer>(
  run: RunState,
  { turn, attempt, request }: TracedRequest,
  work: (onEvent: () => void) => Promise<Answer>,
): Promise<Answer> {
  const { temperature, maxOutputTokens, responseSchema } = request;
  const step = (): RunStep => ({
    kind: 'request',
    ...idsOf(run),
    ...modelOf(run),
    turn,
    attempt,
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    hasSchema: responseSchema !== undefined,
  });
  const startedAt = performance.now();
  let firstEventMs: number | undefined;
  const onEvent = (): void => void (firstEventMs ??= performance.now() - startedAt);
  return traceStep(
    run.options.tracing,
    step,
    () => work(onEvent),
    ({ answer: { finishReason }, usage, error }) => ({
      usage,
      finishReason,
      ...(error && { error }),
      ...(firstEventMs !== undefined && { firstEventMs }),
    }),
  );
}

/** Runs `work` exactly once, inside a traced step if the tracing works. */
async function traceStep<Result>(
  tracing: RunTracing | undefined,
  step: () => RunStep,
  work: () => Promise<Result>,
  outcomeOf: (result: Result) => RunStepOutcome,
): Promise<Result> {
  if (!tracing) return work();
  let traced: TracedStep | undefined;
  ignoreErrors(() => void (traced = tracing.startStep(step())));
  let started: Promise<Result> | undefined;
  const start = (): Promise<Result> => (started ??= work());
  // Tracing may throw before or after it has called `work`.
  ignoreErrors(() => traced?.within(start));
  try {
    const result = await start();
    ignoreErrors(() => traced?.end(outcomeOf(result)));
    return result;
  } catch (cause) {
    const error = toolError('EXECUTION_ERROR', describeCause(cause), { cause });
    ignoreErrors(() => traced?.end({ error }));
    throw cause;
  }
}

function ignoreErrors(work: () => unknown): void {
  try {
    work();
  } catch {
    // Tracing must not break the run.
  }
}

function idsOf({ runId, options }: RunState): { readonly runId: string; readonly sessionId?: string } {
  const sessionId = options.sessionId ?? options.session?.id;
  return { runId, ...(sessionId !== undefined && { sessionId }) };
}

function modelOf({ options }: RunState): { readonly modelName: string; readonly vendor?: string } {
  const { name, vendor } = options.model;
  return { modelName: name, ...(vendor !== undefined && { vendor }) };
}
