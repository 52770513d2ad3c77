import { parentPort } from 'node:worker_threads';
import { runPatternJob, type PatternJob } from './pattern-job.ts';

parentPort?.on('message', (job: PatternJob) => {
  // Its time begins now: how long a thread takes to start says nothing about a pattern.
  parentPort?.postMessage('started', []);
  const answer = runPatternJob(job);
  const buffers = [...new Set(job.files.map(({ buffer }) => buffer))] as readonly ArrayBuffer[];
  // Memory that is there already is used again for a fraction of what it costs to be given new.
  parentPort?.postMessage({ answer, buffers }, buffers);
});
