import { parentPort, workerData } from 'node:worker_threads';
import { runPatternJob, type PatternJob } from './text-search-job.ts';

const matchingSince = workerData as BigInt64Array;

parentPort?.on('message', (job: PatternJob) => {
  // The time limit of a pattern starts with the matching. The time to start the thread does not count.
  const answer = runPatternJob(job, () => Atomics.store(matchingSince, 0, process.hrtime.bigint()));
  Atomics.store(matchingSince, 0, 0n);
  parentPort?.postMessage(answer, []);
});
