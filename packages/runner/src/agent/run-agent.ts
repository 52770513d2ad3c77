import { allowAll, combineSources, createDispatcher, toolError } from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { Message, ToolSource } from '@haft/core';
import type { RunAgentOptions } from '../options/agent-options.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { asToolSource } from '../run/run-tool-source.ts';
import { checkRunOptions } from '../options/check-options.ts';
import { eitherSignal } from '../abortable.ts';
import { createRestriction } from '../run/restrict-run-tools.ts';
import { createRunMeter } from '../limits/run-meter.ts';
import { throwIfFailed } from './throw-if-run-failed.ts';
import { createCallIds } from '../history/call-ids.ts';
import { notify } from '../notify.ts';
import { outputToolInstruction, outputToolName } from '../output/output-tool.ts';
import { createRunOutput, type RunOutput } from '../output/run-output.ts';
import { keepTurn } from '../durable/durable-turn.ts';
import { restoreTurns, type RestoredRun, type TurnRecord } from '../durable/durable-turn-record.ts';
import { emit, type KeptRun, type RunEnd, type RunState } from '../run/run-state.ts';
import { ensurePaired } from '../turn/ensure-turn-paired.ts';
import { traceRun, traceTurn } from '../run/trace-step.ts';
import { runTurn } from '../turn/run-turn.ts';

const defaultLimit = 20;

/**
 * Runs a model with tools until it answers: sends a request, runs the calls, returns the results, and repeats.
 *
 * Failures are part of the result: read `stopReason` before `text`. An unreachable model ends the run with `error`. After
 * every run, each call in `messages` has exactly one answer, so the next run can use them.
 *
 * @throws HaftError `INVALID_OPTION` if both prompt and messages are missing, an option is invalid, or options
 * contradict each other. `RUN_FAILED` if the run failed and `throwOnError` is set.
 * @example
 * import { defineTool } from '@haft/core';
 * import { runAgent } from '@haft/runner';
 * import { scriptedModel } from '@haft/runner/testing';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const model = scriptedModel([{ calls: [{ name: 'ping', arguments: {} }] }, 'It answers.']);
 * const run = await runAgent({ model, tools: [ping], prompt: 'Does it answer?' });
 * [run.stopReason, run.text]; // => ['finished', 'It answers.']
 */
export async function runAgent(options: RunAgentOptions): Promise<AgentResult> {
  checkRunOptions(options);
  const kept = await options.log?.read();
  const restored = kept && restoreTurns(kept.turns);
  const run = startRun(options, restored);
  if (kept) run.kept = { ...noneKept, log: options.log!, open: kept.open, ...(restored && countsOf(run)) };
  const result = await traceRun(run, () => runToEnd(run, restored?.last.end));
  if (options.throwOnError) throwIfFailed(result);
  return result;
}

const noneKept = { messages: [], callCount: 0, diagnosticCount: 0, failure: undefined };

/** The content of the log from which a run was restored. */
function countsOf(run: RunState): Pick<KeptRun, 'messages' | 'callCount' | 'diagnosticCount'> {
  return { messages: [...run.messages], callCount: run.calls.length, diagnosticCount: run.diagnostics.length };
}

async function runToEnd(run: RunState, known: RunEnd | undefined): Promise<AgentResult> {
  let end = known;
  try {
    for (let turn = run.turns + 1; end === undefined; turn += 1) {
      end = await traceTurn(run, turn, () =>
        runTurn(run, turn).catch((cause: unknown) => stopWithError(run, turn, cause)),
      );
      await keepTurn(run, turn, end);
    }
  } finally {
    run.meter.end();
  }
  notify(run.source.forgetTask?.bind(run.source), run.runId);
  emit(run, { type: 'run-end', ...end });
  return {
    stopReason: end.stopReason,
    ...(end.limit && { limit: end.limit }),
    text: run.text,
    ...(run.output?.found && { output: run.output.found.value }),
    messages: run.messages,
    turns: run.turns,
    calls: run.calls,
    usage: run.usage,
    finishReason: run.finishReason,
    diagnostics: run.diagnostics,
    ...(end.error && { error: end.error }),
  };
}

/** Only reached after a defect in the loop, or with inputs that violate their types. */
function stopWithError(run: RunState, turn: number, cause: unknown): RunEnd {
  if (run.kept?.failure !== undefined) throw run.kept.failure.cause;
  ensurePaired(run, turn);
  const message = describeCause(cause);
  return { stopReason: 'error', error: toolError('EXECUTION_ERROR', `the run failed: ${message}`, { cause }) };
}

function startRun(options: RunAgentOptions, restored: RestoredRun | undefined): RunState {
  const turns = options.maxToolIterations || defaultLimit;
  const { limits = {} } = options;
  const output = createRunOutput(options);
  if (output && restored?.last.output) Object.assign(output, restored.last.output);
  const signal = eitherSignal(options.signal, options.forceSignal);
  return {
    options,
    source: withOutputTool(asToolSource(options), output),
    output,
    restrict: createRestriction(allowedTools(options, output)),
    limit: turns,
    signal,
    meter: createRunMeter({ turns, limits, signal, used: restored?.last.meter }),
    runId: options.runId ?? `run_${crypto.randomUUID()}`,
    ids: createCallIds(),
    messages: restored ? [...restored.messages] : firstMessages(options, output),
    pairedUpTo: 0,
    calls: [...(restored?.calls ?? [])],
    diagnostics: [...(restored?.diagnostics ?? [])],
    usage: {},
    lastUsage: {},
    turns: 0,
    text: '',
    finishReason: undefined,
    justCorrected: false,
    reminders: 0,
    isSimplified: false,
    kept: undefined,
    ...(restored && stateOf(restored.last)),
  };
}

/** Returns the state of a run after its last complete turn. */
function stateOf({
  usage,
  turns,
  text,
  finishReason,
  justCorrected,
  reminders,
  isSimplified,
}: TurnRecord): Pick<
  RunState,
  'usage' | 'turns' | 'text' | 'finishReason' | 'justCorrected' | 'reminders' | 'isSimplified'
> {
  return { usage, turns, text, finishReason, justCorrected, reminders, isSimplified };
}

/** The output tool comes first, so that no other tool of that name is used. */
function withOutputTool(source: ToolSource, output: RunOutput | undefined): ToolSource {
  if (!output?.tool) return source;
  return combineSources(createDispatcher({ registry: [output.tool], permission: allowAll }), source);
}

/** Adds the output tool to the allowed tools. */
function allowedTools({ allow }: RunAgentOptions, output: RunOutput | undefined): RunAgentOptions['allow'] {
  return allow && output?.tool ? { ...allow, tools: [...(allow.tools ?? []), outputToolName] } : allow;
}

function firstMessages(
  { messages = [], prompt, ...options }: RunAgentOptions,
  output: RunOutput | undefined,
): Message[] {
  const systemPrompt = output?.tool
    ? [options.systemPrompt, outputToolInstruction].filter((part) => part !== undefined).join('\n\n')
    : options.systemPrompt;
  const first = messages[0];
  const isThere = first?.role === 'system' && first.content === systemPrompt;
  return [
    ...(systemPrompt === undefined || isThere ? [] : [{ role: 'system', content: systemPrompt } as const]),
    ...messages,
    ...(prompt === undefined ? [] : [{ role: 'user', content: prompt } as const]),
  ];
}
