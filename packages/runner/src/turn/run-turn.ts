import type { RunEnd, RunState } from '../run-state.ts';
import { answerCalls } from './answer-calls.ts';
import { concludeTurn } from './conclude-turn.ts';
import { findCalls } from './find-calls.ts';
import { infer } from './infer.ts';
import { keepPaired } from './keep-paired.ts';
import { recordTurn } from './record-turn.ts';
import { showTools } from './show-tools.ts';
import { takeInSteering } from './take-in-steering.ts';

/** One request to the model and the calls it makes. Answers why the run ends here, or nothing when it goes on. */
export async function runTurn(run: RunState, turn: number): Promise<RunEnd | undefined> {
  takeInSteering(run, turn);
  keepPaired(run, turn);

  const tools = await showTools(run, turn);
  if ('stopReason' in tools) return tools;

  const answer = await infer(run, turn, tools);
  if ('stopReason' in answer) return answer;

  const found = findCalls(run, turn, tools, answer);
  const answered = await answerCalls(run, turn, tools, found);
  recordTurn(run, turn, answer, found, answered);
  return concludeTurn(
    run,
    turn,
    tools,
    found,
    answered.map(({ completed }) => completed),
  );
}
