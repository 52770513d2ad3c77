import { parentPort } from 'node:worker_threads';
import { runPatternJob, type PatternJob } from './pattern-job.ts';

parentPort?.on('message', (job: PatternJob) => {
  // The time of a pattern begins with the matching: how long a thread takes to start says nothing about it.
  parentPort?.postMessage(
    runPatternJob(job, () => parentPort?.postMessage('started', [])),
    [],
  );
});
