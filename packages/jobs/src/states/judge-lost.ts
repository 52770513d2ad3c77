import type { IfLost } from './transitions.ts';

/** A job whose lease ran out. */
export interface LostJob {
  readonly state: 'leased' | 'started';
  readonly ifLost: IfLost | null;
  readonly isRecovering: boolean;
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
export function judgeLost({ state, ifLost, isRecovering, lost, cancelReason }: LostJob): Verdict {
  const mayHaveRun = isRecovering || (state === 'started' && ifLost !== 'read-only');
  if (cancelReason !== null) {
    return mayHaveRun
      ? { state: 'unknown', reason: `it was cancelled (${cancelReason}), and then its worker was lost` }
      : { state: 'cancelled', reason: cancelReason };
  }
  if (state === 'started' && ifLost === 'unknown') return { state: 'unknown', reason: 'its worker was lost' };
  if (lost >= maxLost) {
    return { state: mayHaveRun ? 'unknown' : 'failed', reason: `${lost} workers were lost while they ran it` };
  }
  return { state: 'queued', isRecovering: isRecovering || (state === 'started' && ifLost === 'recover') };
}
