import type { ToolError } from '../../contracts/results/error.ts';
import type { Effect } from '../../contracts/results/effect.ts';
import type { ToolResult } from '../../contracts/results/result.ts';
import type { CallRun } from '../call/call-run.ts';
import { Stop, type Step } from '../call/stop.ts';
import { cancelAndStop, raceCancellation } from '../call/wait-bounded.ts';
import type { RetryPlan } from '../options/retry-options.ts';
import { readReturned } from '../steps/settle.ts';

/** Runs the body and retries it while the failure is temporary and attempts and time remain. */
export async function withRetries(run: CallRun, attemptOnce: (run: CallRun) => Step): Promise<Stop | undefined> {
  const plan = run.config.retries!;
  const effects: Effect[] = [];
  run.hasWaited = true;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(run);
    const ended = outcome ?? readReturned(run, run.returned);
    const error = errorOf(ended);
    const pause =
      error?.retryable === true && attempt <= plan.attempts ? pauseBefore(run, plan, attempt, error) : undefined;
    if (pause === undefined) return finish(run, ended, effects, attempt);
    if (!(ended instanceof Stop)) effects.push(...ended.effects);
    run.progress({ message: `${run.call.name} failed (${error!.code}); attempt ${attempt + 1} in ${pause} ms` });
    const stopped = await rest(run, plan, pause);
    if (stopped) return stopped;
  }
}

function errorOf(ended: ToolResult | Stop): ToolError | undefined {
  if (ended instanceof Stop) return ended.error;
  return ended.ok ? undefined : ended.error;
}

/** Returns the delay before the next attempt in milliseconds, or `undefined` if there is no further attempt. */
function pauseBefore(run: CallRun, plan: RetryPlan, attempt: number, error: ToolError): number | undefined {
  if (run.isAborted || run.isCancelled) return undefined;
  const asked = error.details?.['retryAfterMs'];
  const longest = Math.min(plan.maxDelayMs, plan.delayMs * 2 ** (attempt - 1));
  // Between half of the delay and all of it. The jitter prevents calls that failed together from retrying together.
  const pause = Math.round(
    typeof asked === 'number' && asked >= 0 ? asked : longest * (0.5 + Math.min(1, Math.max(0, plan.random())) / 2),
  );
  return pause <= plan.maxDelayMs && run.config.now() + pause < run.deadline ? pause : undefined;
}

async function rest(run: CallRun, plan: RetryPlan, pause: number): Promise<Stop | undefined> {
  const waiting = plan.wait(pause, run.signal);
  const outcome = await raceCancellation(run, { timeoutMs: run.deadline - run.config.now() }, waiting);
  if (outcome === 'aborted')
    return cancelAndStop(run, 'ABORTED', `${run.call.name} was cancelled between two attempts`);
  if (outcome === 'timeout') return cancelAndStop(run, 'TIMEOUT', `${run.call.name} exceeded its time limit`);
  return undefined;
}

/** Returns the last result, with the effects of all attempts. */
function finish(
  run: CallRun,
  ended: ToolResult | Stop,
  effects: readonly Effect[],
  attempts: number,
): Stop | undefined {
  if (ended instanceof Stop) return ended;
  const several = attempts === 1 ? {} : { metadata: { ...ended.metadata, attempts } };
  run.returned = { ...ended, ...several, effects: [...effects, ...ended.effects] };
  return undefined;
}
