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

/** Describes a job with its events until now. */
export async function describeJob(jobs: WorkbenchJobs, id: string): Promise<JobDetails> {
  const job = jobs.job(id);
  const info = await job.info();
  const events = await readEvents(job);
  return {
    ...summarize(info),
    callId: info.callId,
    ...(info.key === undefined ? {} : { key: info.key }),
    events: events.map(({ at, kind, attempt, data }) => ({ at, kind, attempt, data: asJson(data) })),
  };
}

async function readEvents(job: ReturnType<WorkbenchJobs['job']>): Promise<readonly WorkbenchJobEvent[]> {
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
