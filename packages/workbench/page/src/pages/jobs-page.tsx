import { useState } from 'react';
import type { JobList, JobQuestionView, JobSummary } from '../../../src/contract/job-data.ts';
import type { Loaded } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { AnsweredJobs } from '../jobs/answered-jobs.tsx';
import { addAnsweredJob, listAnsweredJobs } from '../jobs/list-answered-jobs.ts';
import { Job } from '../jobs/job.tsx';
import { JobQuestion } from '../jobs/job-question.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FilteredList } from '../parts/filtered-list.tsx';
import { Hint } from '../parts/hint.tsx';
import { Problem } from '../parts/problem.tsx';
import { Split } from '../parts/split.tsx';
import { StateChip } from '../parts/state-chip.tsx';

/** Durable jobs: what is queued and running, unknown outcomes to settle, and calls that wait for a person. */
export function JobsPage({
  id,
  loaded: { value, problem },
}: {
  readonly id: string;
  readonly loaded: Loaded<JobList>;
}) {
  const [answered, setAnswered] = useState(listAnsweredJobs);
  if (value === undefined) return <Problem text={problem} />;
  if (!value.isConnected) return <NoJobs />;
  const { jobs, questions, counts } = value;
  if (jobs.length === 0) {
    return (
      <EmptyState title="No jobs yet">
        <p>
          A job is a call that survives crashes. Submit one with <code>jobs.submit(call)</code>. If a worker is lost in
          the middle of a call that must not run twice, its outcome is unknown, and you settle it here.
        </p>
      </EmptyState>
    );
  }
  const onAnswer = ({ job, title }: JobQuestionView, isAllowed: boolean): void => {
    addAnsweredJob({ job, title, isAllowed });
    setAnswered(listAnsweredJobs());
  };
  const list = (
    <FilteredList
      page="jobs"
      name="jobs"
      items={jobs}
      chosen={id}
      keyOf={(job) => job.id}
      textOf={(job) => `${job.tool} ${job.state} ${job.queue} ${job.id} ${job.note ?? ''}`}
      head={
        <p className="row wrap tags">
          {['queued', 'waiting', 'leased', 'started', 'unknown'].map((state) => (
            <span key={state} className={`tag ${state === 'unknown' && (counts[state] ?? 0) > 0 ? 'warn' : ''}`}>
              {counts[state] ?? 0} {state}
            </span>
          ))}
        </p>
      }
    >
      {(job) => <Entry job={job} isAsking={questions.some((one) => one.job === job.id)} />}
    </FilteredList>
  );
  const detail =
    id === '' ? (
      <>
        <AnsweredJobs answered={answered} />
        {questions.map((question) => (
          <JobQuestion key={question.id} question={question} onAnswer={onAnswer} />
        ))}
        <Hint>Select a job to see what happened to it, to cancel it, or to settle an unknown outcome.</Hint>
      </>
    ) : (
      <>
        <AnsweredJobs answered={answered.filter(({ job }) => job === id)} shown={id} />
        <Job key={id} id={id} question={questions.find((one) => one.job === id)} onAnswer={onAnswer} />
      </>
    );
  return <Split list={list} detail={detail} isOpen={id !== ''} back={routeTo('jobs')} />;
}

function NoJobs() {
  return (
    <EmptyState title="This program has no jobs">
      <p>
        Durable jobs are calls that survive crashes and deploys. Start with <code>haft ui --jobs file:.haft/jobs</code>,
        or pass them in your program:
      </p>
      <CodeBlock
        title="In your program"
        text={[
          "import { openJobs } from '@haft/jobs';",
          '',
          "const jobs = await openJobs({ url: 'file:.haft/jobs' });",
          'const workbench = createWorkbench({ toolkit, jobs });',
        ].join('\n')}
      />
    </EmptyState>
  );
}

function aboutOf({ waitingFor, note, queue }: JobSummary): string {
  if (waitingFor !== undefined) return `waits for ${waitingFor}`;
  return note ?? `queue ${queue}`;
}

function Entry({ job, isAsking }: { readonly job: JobSummary; readonly isAsking: boolean }) {
  return (
    <>
      <span className="row">
        <strong>{visible(job.tool)}</strong>
        <StateChip state={isAsking ? 'asking' : job.state} />
      </span>
      <span className="quiet line">{visible(isAsking ? 'waits for your answer' : aboutOf(job))}</span>
      <time className="quiet" dateTime={new Date(job.createdAt).toISOString()}>
        {new Date(job.createdAt).toLocaleString()}
      </time>
    </>
  );
}
