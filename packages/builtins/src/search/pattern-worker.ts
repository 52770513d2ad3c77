import { parentPort } from 'node:worker_threads';
import { runPatternJob, type PatternJob } from './pattern-job.ts';

parentPort?.on('message', (job: PatternJob) => {
  // Its time begins now: how long a thread takes to start says nothing about a pattern.
  parentPort?.postMessage('started', []);
  parentPort?.postMessage(runPatternJob(job), []);
});
