import { parentPort } from 'node:worker_threads';
import { runPatternJob, type PatternJob } from './pattern-job.ts';

parentPort?.on('message', (job: PatternJob) => {
  parentPort?.postMessage(runPatternJob(job), []);
});
