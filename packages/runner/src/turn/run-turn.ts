import type { RunEnd, RunState } from '../run/run-state.ts';
import { answerCalls } from './calls/answer-calls.ts';
import { askAfterTurn, askBeforeTurn } from './ask-turn-hooks.ts';
import { runCompletionGate } from '../completion/run-completion-gate.ts';
import { concludeTurn } from './conclude-turn.ts';
import { findCalls } from './calls/find-calls.ts';
import { infer } from './model/infer.ts';
import { concludeOutput } from './conclude-turn-output.ts';
import { shapeHistory } from './shape-turn-history.ts';
import { ensurePaired } from './ensure-turn-paired.ts';
import { appendTurn } from './append-turn.ts';
import { showTools } from './model/show-tools.ts';
import { applySteering } from './apply-steering.ts';

/** Sends one request and runs its calls. Returns why the run ends, or undefined if it continues. */
export async function runTurn(run: RunState, turn: number): Promise<RunEnd | undefined> {
  applySteering(run, turn);
  ensurePaired(run, turn);
  if (run.options.shapeHistory) await shapeHistory(run, turn, run.options.shapeHistory);

  const refused = await askBeforeTurn(run, turn);
  if (refused) return refused;

  const tools = await showTools(run, turn);
  if ('stopReason' in tools) return tools;

  const answer = await infer(run, turn, tools);
  if ('stopReason' in answer) return answer;

  const found = findCalls(run, turn, tools, answer);
  const answered = await answerCalls(run, turn, tools, found);
  const hooked = await askAfterTurn(run, turn, answer, found, answered);
  appendTurn(run, turn, hooked.answer, { ...found, text: hooked.text }, answered);
  if (hooked.end) return hooked.end;
  const completed = answered.map((each) => each.completed);
  // An answer with an error has ended the run already, unless the run's time limit caused the error.
  const end = concludeTurn(run, turn, tools, found, completed, answer.error !== undefined);
  const concluded = run.output
    ? await concludeOutput(run, run.output, hooked.answer, hooked.text, completed, end)
    : end;
  return run.options.completion ? runCompletionGate(run, turn, run.options.completion, concluded) : concluded;
}
