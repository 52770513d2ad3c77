import type { Message } from '@haft/core';
import { describeIssues } from '@haft/schema';
import type { CompletedCall } from '../contracts/agent-result.ts';
import type { RunEnd, RunState } from '../run/run-state.ts';
import type { ModelAnswer } from './model/read-stream.ts';
import { outputToolName } from '../output/output-tool.ts';
import { readOutput } from '../output/read-output.ts';
import { noOutput, type RunOutput } from '../output/run-output.ts';

/** Outcome of a turn for a run with a structured answer. */
type OutputVerdict = 'found' | 'go-on' | 'given-up';

/**
 * Checks whether the model submitted its answer with the output tool. A failed attempt counts; its result explains why.
 */
function takeSubmitted(output: RunOutput, completed: readonly CompletedCall[]): OutputVerdict | undefined {
  const tries = completed.filter(({ call }) => call.name === outputToolName);
  for (const { result } of tries) {
    if (result.ok) {
      output.found = { value: result.structured };
      return 'found';
    }
    output.issues = result.error.issues ?? [];
    output.answersLeft -= 1;
  }
  if (tries.length === 0) return undefined;
  return output.answersLeft <= 0 ? 'given-up' : 'go-on';
}

/**
 * Checks a final answer: it fits the schema, or the model learns how to correct it. In the first phase, asks for the
 * structured answer instead.
 */
async function checkAnswer(
  run: RunState,
  output: RunOutput,
  { finishReason }: ModelAnswer,
  text: string,
): Promise<OutputVerdict> {
  if (output.strategy === 'two-phase' && output.phase === 'work' && run.meter.reached === undefined) {
    output.phase = 'answer';
    run.messages.push({ role: 'user', content: phaseTwo });
    return 'go-on';
  }
  const stopped = finishReason === 'stop' || finishReason === 'tool-calls' ? 'stop' : 'length';
  const reading = await readOutput(output, text, stopped);
  if (reading.ok) {
    output.found = { value: reading.value };
    return 'found';
  }
  output.issues = reading.issues;
  output.answersLeft -= 1;
  if (output.answersLeft <= 0) return 'given-up';
  run.messages.push(explain(output, reading.reason));
  return 'go-on';
}

/** Decides how a run with a structured answer continues or ends. */
export async function concludeOutput(
  run: RunState,
  output: RunOutput,
  answer: ModelAnswer,
  text: string,
  completed: readonly CompletedCall[],
  end: RunEnd | undefined,
): Promise<RunEnd | undefined> {
  const atLimit = end?.stopReason === 'limit';
  if (end && (end.error || (end.stopReason !== 'finished' && !atLimit))) return end;
  const submitted = takeSubmitted(output, completed);
  if (submitted === 'go-on' || (submitted === undefined && end === undefined)) return undefined;
  const verdict = submitted ?? (await checkAnswer(run, output, answer, text));
  if (verdict === 'go-on') return undefined;
  if (verdict === 'found') return atLimit ? end : { stopReason: 'finished' };
  return { ...end, stopReason: atLimit ? 'limit' : 'error', error: noOutput(output) };
}

const phaseTwo = 'Now give the result of this work as one JSON value that fits the given schema, and nothing else.';

function explain({ strategy, issues, jsonSchema }: RunOutput, reason: string): Message {
  const how =
    strategy === 'tool'
      ? `Submit your answer by calling ${outputToolName}.`
      : `Answer with one JSON value and nothing else. It must fit this schema: ${JSON.stringify(jsonSchema)}`;
  const lines = [`Automatic note about your last message: it cannot be used as an answer, because ${reason}.`];
  if (issues.length > 0) lines.push(describeIssues(issues));
  return { role: 'user', content: [...lines, how].join('\n') };
}
