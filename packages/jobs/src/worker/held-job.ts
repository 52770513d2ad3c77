import type { LeasedJob } from '../ledger/job-row.ts';

/** A job that this worker holds. */
export class HeldJob {
  readonly job: LeasedJob;
  readonly controller: AbortController = new AbortController();
  /** Spaces that become available to waiting jobs when this job ends. */
  spaces: readonly string[] = [];
  /** Whether the body was allowed to run. */
  hasStarted = false;
  /** Whether another worker can run the body again, even while it may still be running here. */
  isRepeatable = true;
  /** True after the job was handed back or queued again. Nothing is written from then on. */
  isReleased = false;
  /** True after another worker may have taken the job over. */
  isLost = false;
  /** Ends when the job ends. */
  ended: Promise<void> = Promise.resolve();
  /** Number of jobs that this one waits for. Such a job does not count as running. */
  waits = 0;
  /** Called when this job begins to wait for another one. */
  onWait: () => void = () => undefined;
  #renewedAt = performance.now();

  constructor(job: LeasedJob) {
    this.job = job;
  }

  /** Waits for another job. */
  async waitFor<Result>(work: Promise<Result>): Promise<Result> {
    this.waits += 1;
    this.onWait();
    try {
      return await work;
    } finally {
      this.waits -= 1;
    }
  }

  /** Records that a request sent at this time has renewed the lease. */
  renewed(sentAt: number): void {
    this.#renewedAt = Math.max(this.#renewedAt, sentAt);
  }

  /** Whether another worker may have taken over the job, according to the clock of this process. */
  isOverdue(leaseMs: number): boolean {
    return performance.now() - this.#renewedAt >= leaseMs;
  }

  /** Stops the job, because another worker may have taken it over. */
  lose(): void {
    this.isLost = true;
    this.controller.abort(new DOMException('the lease is lost', 'AbortError'));
  }

  /** Stops the job without writing anything. */
  release(reason: string): void {
    this.isReleased = true;
    this.controller.abort(new DOMException(reason, 'AbortError'));
  }
}
