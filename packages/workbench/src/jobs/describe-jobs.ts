import { maskArguments, maskResult } from '@haft/core/events';
import { describeResult, textOfArguments } from '../calls/describe-call.ts';
import { asJson } from '../contract/as-json.ts';
import type { JobDetails, JobList, JobSummary } from '../contract/job-data.ts';
import type { WorkbenchJob, WorkbenchJobEvent, WorkbenchJobs } from './workbench-jobs.ts';

const maxJobs = 200;
const maxEvents = 500;
/** Milliseconds to wait for further events of a job that has not ended. */
const eventsMs = 300;

/** Lists the latest jobs, the counts and the questions. */
export async function listJobs(jobs: WorkbenchJobs): Promise<JobList> {
  const [listed, counts, questions] = await Promise.all([
    jobs.list({ limit: maxJobs }),
    jobs.counts(),
    jobs.questions(),
  ]);
  return {
    isConnected: true,
    counts: counts as JobList['counts'],
    jobs: listed.map(summarize),
    questions: questions.map(({ id, job, tool, title, arguments: args, reason, askedAt, expiresAt }) => ({
      id,
      job,
      tool,
      title,
      arguments: asJson(args),
      reason,
      askedAt,
      expiresAt,
    })),
  };
}

/** States in which a job has a result to show. */
const over = ['done', 'failed', 'cancelled'];

/** Describes a job with its arguments, its result and its events until now. */
export async function describeJob(jobs: WorkbenchJobs, id: string): Promise<JobDetails> {
  const job = jobs.job(id);
  const info = await job.info();
  const [given, events] = await Promise.all([readArguments(job), readEvents(job)]);
  return {
    ...summarize(info),
    callId: info.callId,
    arguments: given,
    ...(over.includes(info.state) ? { result: describeResult(maskResult(await job.result())) } : {}),
    ...(info.key === undefined ? {} : { key: info.key }),
    events: events.map(({ at, kind, attempt, data }) => ({ at, kind, attempt, data: asJson(data) })),
  };
}

type JobHandle = ReturnType<WorkbenchJobs['job']>;

async function readArguments(job: JobHandle): Promise<string> {
  try {
    return textOfArguments(maskArguments((await job.call()).arguments));
  } catch (cause) {
    // The rest of a job with a damaged call can be shown.
    return `The call can't be read: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

async function readEvents(job: JobHandle): Promise<readonly WorkbenchJobEvent[]> {
  const events: WorkbenchJobEvent[] = [];
  const signal = AbortSignal.timeout(eventsMs);
  try {
    for await (const event of job.events({ signal })) {
      events.push(event);
      if (events.length >= maxEvents) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return events;
}

function summarize(job: WorkbenchJob): JobSummary {
  const { id, tool, queue, state, attempt, lost, createdAt } = job;
  const { waitingFor, worker, note, settledBy, startedAt, finishedAt } = job;
  return {
    id,
    tool,
    queue,
    state,
    attempt,
    lost,
    createdAt,
    ...(waitingFor === undefined ? {} : { waitingFor }),
    ...(worker === undefined ? {} : { worker }),
    ...(note === undefined ? {} : { note }),
    ...(settledBy === undefined ? {} : { settledBy }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
  };
}
