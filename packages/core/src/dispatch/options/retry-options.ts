import { objectOf } from '../../options/compound-kinds.ts';
import type { OptionKind } from '../../options/option-kind.ts';
import { functionKind, integerKind, millisecondsKind } from '../../options/option-kinds.ts';

/**
 * Options for retrying a call after a temporary failure. Only failures marked `retryable` are retried, only for tools
 * that are read-only or idempotent, and only before the deadline of the call. All attempts share this deadline, so a call
 * that fails with `TIMEOUT` is not retried: its time is used up.
 */
export interface CallRetries {
  /** Maximum number of retries after the first attempt. 0 disables retries. Default: 2. */
  readonly max?: number;
  /** Maximum delay before the first retry, in milliseconds. It doubles for each further retry. Default: 500. */
  readonly delayMs?: number;
  /** A failure that requests a longer delay (`details.retryAfterMs` of the error) is not retried. Default: 60,000. */
  readonly maxDelayMs?: number;
  /**
   * Returns a number from 0 up to 1 for the jitter, so that many callers do not retry at once. Default: `Math.random`.
   */
  readonly random?: () => number;
  /** Waits for a delay. Default: a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** {@link CallRetries} with all defaults applied. */
export type RetryPlan = Readonly<Required<CallRetries>>;

export const retryKind: OptionKind<CallRetries> = objectOf<CallRetries>(
  {
    max: integerKind({ min: 0 }),
    delayMs: millisecondsKind,
    maxDelayMs: millisecondsKind,
    random: functionKind,
    wait: functionKind,
  },
  '{ max: 2 }',
);

/** Applies the defaults. Returns undefined if retries are disabled. */
export function planRetries(retries: CallRetries | undefined): RetryPlan | undefined {
  if (retries === undefined) return undefined;
  const { max = 2, delayMs = 500, maxDelayMs = 60_000, random = Math.random, wait = letTimePass } = retries;
  return max === 0 ? undefined : { max, delayMs, maxDelayMs, random, wait };
}

function letTimePass(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
