import { objectOf } from '../../options/compound-kinds.ts';
import type { OptionKind } from '../../options/option-kind.ts';
import { aFunction, anInteger, milliseconds } from '../../options/option-kinds.ts';

/**
 * How often and how long a call is tried again after a failure that may pass. Only failures marked `retryable`, only of
 * tools that are read-only or idempotent, and only within the one deadline of the call.
 */
export interface CallRetries {
  /** Further attempts; default 2. */
  readonly attempts?: number;
  /** Longest pause before the first further attempt, in milliseconds, doubled for each next one; default 500. */
  readonly delayMs?: number;
  /** A failure that asks for a longer pause (`details.retryAfterMs` of the error) is not retried. Default 60,000. */
  readonly maxDelayMs?: number;
  /** A number from 0 up to 1 that varies the pauses, so that many callers don't come back at once. Default `Math.random`. */
  readonly random?: () => number;
  /** Waits; default: a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** {@link CallRetries} with every default filled in. */
export type RetryPlan = Readonly<Required<CallRetries>>;

export const retryKind: OptionKind<CallRetries> = objectOf<CallRetries>(
  {
    attempts: anInteger({ min: 0 }),
    delayMs: milliseconds,
    maxDelayMs: milliseconds,
    random: aFunction,
    wait: aFunction,
  },
  '{ attempts: 2 }',
);

/** Fills in the defaults. Returns undefined if no call is tried again. */
export function planRetries(retries: CallRetries | undefined): RetryPlan | undefined {
  if (retries === undefined) return undefined;
  const { attempts = 2, delayMs = 500, maxDelayMs = 60_000, random = Math.random, wait = letTimePass } = retries;
  return attempts === 0 ? undefined : { attempts, delayMs, maxDelayMs, random, wait };
}

function letTimePass(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
