import { toolError } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { untilAborted } from '../abortable.ts';
import { report, type RunEnd, type RunState } from '../run/run-state.ts';
import type { CompletionGate } from '../contracts/completion-gate.ts';

const defaultMaxReminders = 2;
const maxCharacters = 20_000;

/**
 * Runs the completion gate on a run that would end with the model's answer. Sends the missing work to the model, up to
 * `maxReminders` times. After that, the run ends with an error. Skips the gate at a limit, because no more work is
 * possible.
 */
export async function runCompletionGate(
  run: RunState,
  turn: number,
  gate: CompletionGate,
  end: RunEnd | undefined,
): Promise<RunEnd | undefined> {
  if (end?.stopReason !== 'finished' || run.meter.reached !== undefined) return end;
  const missing = await ask(run, turn, gate);
  if (run.signal?.aborted) return { stopReason: 'aborted' };
  if (missing === undefined) return end;
  report(run, { kind: 'work-missing', turn, message: `${gate.name}: ${missing}` });
  const { maxReminders = defaultMaxReminders } = gate;
  if (run.reminders >= maxReminders) {
    const message = `${gate.name}: the model reports that it is done, but after ${maxReminders} reminders: ${missing}`;
    return { stopReason: 'error', error: toolError('POLICY_BLOCKED', message, { details: { guardrail: gate.name } }) };
  }
  run.reminders += 1;
  if (run.output) {
    run.output.found = undefined;
    run.output.phase = 'work';
  }
  const content = `Automatic note about your last message: the work is not done yet, since ${missing}\nContinue by calling tools. If it is impossible, say why.`;
  run.messages.push({ role: 'user', content });
  return undefined;
}

async function ask(run: RunState, turn: number, gate: CompletionGate): Promise<string | undefined> {
  const { text, calls } = run;
  const { signal } = run.meter;
  try {
    const readTraits = Promise.resolve(gate.check({ text, calls: Object.freeze([...calls]), turn, signal }));
    const missing: unknown = await untilAborted(signal, readTraits);
    return typeof missing === 'string' && missing !== '' ? missing.slice(0, maxCharacters) : undefined;
  } catch (cause) {
    return `its check failed: ${describeCause(cause)}`;
  }
}
