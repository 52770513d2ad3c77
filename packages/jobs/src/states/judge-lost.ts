import { mayHaveRun, type EarlierAttempts } from '../ledger/job-row.ts';

/** A job whose lease ran out. */
export interface LostJob extends EarlierAttempts {
  readonly state: 'leased' | 'started';
  /** Number of workers that were lost with this job, including the current one. */
  readonly lost: number;
  readonly cancelReason: string | null;
}

/** The next state of a lost job. */
export type Verdict =
  | { readonly state: 'queued'; readonly isRecovering: boolean }
  | { readonly state: 'failed' | 'cancelled' | 'unknown'; readonly reason: string };

/** Number of lost workers after which a job is not repeated. */
export const maxLost = 3;

/**
 * Returns the next state of a job whose worker was lost. The call is repeated only if its body has not started, if a
 * second run has no further effect, or if the tool can find out whether the first run had an effect.
 */
export function judgeLost(job: LostJob): Verdict {
  const { state, ifLost, isRecovering, lost, cancelReason } = job;
  if (cancelReason !== null) {
    return mayHaveRun(job)
      ? { state: 'unknown', reason: `it was cancelled (${cancelReason}), and then its worker was lost` }
      : { state: 'cancelled', reason: cancelReason };
  }
  if (state === 'started' && ifLost === 'unknown') return { state: 'unknown', reason: 'its worker was lost' };
  if (lost >= maxLost) {
    return { state: mayHaveRun(job) ? 'unknown' : 'failed', reason: `${lost} workers were lost while they ran it` };
  }
  return { state: 'queued', isRecovering: isRecovering || (state === 'started' && ifLost === 'recover') };
}
