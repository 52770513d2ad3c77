import type { ToolError } from '../contracts/error.ts';
import type { Effect } from '../contracts/effect.ts';
import type { ToolResult } from '../contracts/result.ts';
import { checkOption, isTimeSpan } from '../check-option.ts';
import type { CallRun } from './call-run.ts';
import { runBodyOnce } from './execute.ts';
import { raceCancellation, stop } from './race-cancellation.ts';
import { readReturned } from './read-returned.ts';
import { Rejection } from './rejection.ts';
import type { StepOutcome } from './step.ts';

/**
 * How often and how long a call is tried again that failed for a reason which may pass. Only failures that say
 * `retryable` of tools that are read-only or idempotent, and only within the call's one deadline.
 */
export interface CallRetries {
  /** Further attempts; default 2. */
  readonly attempts?: number;
  /** Milliseconds before the first further attempt at most, doubled for each next; default 500. */
  readonly delayMs?: number;
  /** Who asks for a longer pause than this (`details.retryAfterMs` of the error) is not waited for. Default 60,000. */
  readonly maxDelayMs?: number;
  /** A number from 0 up to 1 for the length of a pause, so that many callers don't come back at once. Default `Math.random`. */
  readonly random?: () => number;
  /** Lets time pass; default: a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The same with every default filled in. */
export type RetryPlan = Readonly<Required<CallRetries>>;

/** @throws HaftError `INVALID_OPTION`. */
export function planRetries(retries: CallRetries | undefined): RetryPlan | undefined {
  if (retries === undefined) return undefined;
  const { attempts = 2, delayMs = 500, maxDelayMs = 60_000, random = Math.random, wait = letTimePass } = retries;
  const check = (name: string, isRight: boolean, expected: string, given: unknown): void =>
    checkOption('createDispatcher', `retries.${name}`, isRight, expected, given);
  check('attempts', Number.isInteger(attempts) && attempts >= 0, 'a whole number, 0 or above', attempts);
  check('delayMs', isTimeSpan(delayMs), 'a number of milliseconds above 0', delayMs);
  check('maxDelayMs', isTimeSpan(maxDelayMs), 'a number of milliseconds above 0', maxDelayMs);
  check('random', typeof random === 'function', 'a function', random);
  check('wait', typeof wait === 'function', 'a function', wait);
  return attempts === 0 ? undefined : { attempts, delayMs, maxDelayMs, random, wait };
}

/** Whether a call of this tool may be made more than once. */
export function mayRepeat(run: CallRun): boolean {
  if (run.parts.retries === undefined) return false;
  const { readOnly, idempotent } = run.tool!.traits;
  return readOnly || idempotent;
}

/** Runs the body, and again while it fails for what may pass and there are attempts and time left. */
export async function runRepeatedly(run: CallRun, plan: RetryPlan): Promise<StepOutcome> {
  const effects: Effect[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await runBodyOnce(run);
    const ended = outcome ?? readReturned(run, run.returned);
    const error = errorOf(ended);
    const pause =
      error?.retryable === true && attempt <= plan.attempts ? pauseBefore(run, plan, attempt, error) : undefined;
    if (pause === undefined) return finish(run, ended, effects, attempt);
    if (!(ended instanceof Rejection)) effects.push(...ended.effects);
    run.progress({ message: `${run.call.name} failed (${error!.code}); attempt ${attempt + 1} in ${pause} ms` });
    const stopped = await rest(run, plan, pause);
    if (stopped) return stopped;
  }
}

function errorOf(ended: ToolResult | Rejection): ToolError | undefined {
  if (ended instanceof Rejection) return ended.error;
  return ended.ok ? undefined : ended.error;
}

/** Milliseconds until the next attempt; `undefined` when there is none to be made. */
function pauseBefore(run: CallRun, plan: RetryPlan, attempt: number, error: ToolError): number | undefined {
  if (run.isAborted || run.context.isCancelled) return undefined;
  const asked = error.details?.['retryAfterMs'];
  const longest = Math.min(plan.maxDelayMs, plan.delayMs * 2 ** (attempt - 1));
  // Between half and all of it: never at once, and never together with those who failed at the same moment.
  const pause = Math.round(
    typeof asked === 'number' && asked >= 0 ? asked : longest * (0.5 + Math.min(1, Math.max(0, plan.random())) / 2),
  );
  return pause <= plan.maxDelayMs && run.parts.now() + pause < run.context.deadline ? pause : undefined;
}

async function rest(run: CallRun, plan: RetryPlan, pause: number): Promise<StepOutcome> {
  const waiting = plan.wait(pause, run.context.signal);
  const outcome = await raceCancellation(run, { timeoutMs: run.context.deadline - run.parts.now() }, waiting);
  if (outcome === 'aborted') return stop(run, 'ABORTED', `${run.call.name} was cancelled between two attempts`);
  if (outcome === 'timeout') return stop(run, 'TIMEOUT', `${run.call.name} did not end in its time`);
  return undefined;
}

/** The last answer, with what all attempts did. */
function finish(
  run: CallRun,
  ended: ToolResult | Rejection,
  effects: readonly Effect[],
  attempts: number,
): StepOutcome {
  if (ended instanceof Rejection) return ended;
  const several = attempts === 1 ? {} : { metadata: { ...ended.metadata, attempts } };
  run.returned = { ...ended, ...several, effects: [...effects, ...ended.effects] };
  return undefined;
}

function letTimePass(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
