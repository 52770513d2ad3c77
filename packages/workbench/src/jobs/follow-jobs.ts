import { listJobs } from './describe-jobs.ts';
import type { WorkbenchJobs } from './workbench-jobs.ts';

/** Interval of reads while a page is open, in milliseconds. Other hosts change the jobs, too. */
const intervalMs = 1_000;

/** Calls a listener when the jobs have changed. Returns a function that ends it. */
export function followJobs(jobs: WorkbenchJobs, listener: () => void): () => void {
  let before: string | undefined;
  let isReading = false;
  const look = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      const { counts, ...others } = await listJobs(jobs);
      // Ignores the age, which changes all the time.
      const now = JSON.stringify({ ...others, counts: { ...counts, oldestMs: 0 } });
      if (before !== undefined && now !== before) listener();
      before = now;
    } catch (error) {
      const problem = String(error);
      if (problem !== before) listener();
      before = problem;
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(() => void look(), intervalMs).unref();
  void look();
  return () => clearInterval(timer);
}
