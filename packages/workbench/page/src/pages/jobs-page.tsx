import { useState } from 'react';
import type { JobDetails, JobList, JobQuestionView, JobSummary } from '../../../src/contract/job-data.ts';
import { send } from '../data/request.ts';
import { useData, type Loaded } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
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
  const list = (
    <FilteredList
      page="jobs"
      name="jobs"
      items={jobs}
      chosen={id}
      keyOf={(job) => job.id}
      textOf={(job) => `${job.tool} ${job.state} ${job.queue} ${job.id}`}
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
        {questions.map((question) => (
          <Question key={question.id} question={question} />
        ))}
        <Hint>Select a job to see what happened to it, to cancel it, or to settle an unknown outcome.</Hint>
      </>
    ) : (
      <Job key={id} id={id} question={questions.find((one) => one.job === id)} />
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

function Entry({ job, isAsking }: { readonly job: JobSummary; readonly isAsking: boolean }) {
  return (
    <>
      <span className="row">
        <strong>{visible(job.tool)}</strong>
        <StateChip state={isAsking ? 'asking' : job.state} />
      </span>
      <span className="quiet line">
        {visible(isAsking ? 'waits for your answer' : (job.note ?? job.waitingFor ?? `queue ${job.queue}`))}
      </span>
      <time className="quiet" dateTime={new Date(job.createdAt).toISOString()}>
        {new Date(job.createdAt).toLocaleString()}
      </time>
    </>
  );
}

function useAction(path: string): readonly [problem: string, act: (body: object) => void] {
  const [problem, setProblem] = useState('');
  const act = (body: object): void => {
    setProblem('');
    send(path, body).catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return [problem, act];
}

function Question({ question }: { readonly question: JobQuestionView }) {
  const [problem, act] = useAction(`job-questions/${encodeURIComponent(question.id)}`);
  const [reason, setReason] = useState('');
  return (
    <article className="card">
      <h2>{visible(question.title)}</h2>
      <p className="notice warn">Why you are asked: {visible(question.reason)}</p>
      <p className="quiet">
        The job waits without a worker until {new Date(question.expiresAt).toLocaleString()}.{' '}
        <a href={routeTo('jobs', question.job)}>Open the job</a>
      </p>
      <CodeBlock title="Exact arguments" text={question.arguments} />
      <form
        className="row wrap"
        onSubmit={(event) => {
          event.preventDefault();
          act({ action: 'deny', reason });
        }}
      >
        <button type="button" className="main" onClick={() => act({ action: 'allow' })}>
          Allow this call
        </button>
        <button type="submit" className="danger">
          Deny
        </button>
        <input
          value={reason}
          placeholder="Reason for the model (optional)"
          aria-label="Reason for the model (optional)"
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
      <Refusal text={problem} />
    </article>
  );
}

function Refusal({ text }: { readonly text: string }) {
  return text === '' ? null : <Problem text={text} />;
}

const over = ['done', 'failed', 'cancelled', 'unknown'];

function Job({ id, question }: { readonly id: string; readonly question: JobQuestionView | undefined }) {
  const path = `jobs/${encodeURIComponent(id)}`;
  const { value: job, problem } = useData<JobDetails>(path, 'jobs');
  const [refusal, act] = useAction(path);
  if (job === undefined) return <Problem text={problem} />;
  const time = (at: number | undefined): string => (at === undefined ? 'not yet' : new Date(at).toLocaleString());
  return (
    <article>
      <h2>
        {visible(job.tool)} <StateChip state={job.state} />
      </h2>
      {question !== undefined && <Question question={question} />}
      {job.state === 'unknown' && (
        <section className="card" aria-label="Settle">
          <h3>Did this call take effect?</h3>
          <p>
            Its worker was lost{job.worker === undefined ? '' : ` (${visible(job.worker)})`} after the call had started
            {job.startedAt === undefined ? '' : ` at ${time(job.startedAt)}`}, in attempt {job.attempt}. It was not
            repeated, because a second effect could do harm. Check the other system, then decide.
          </p>
          <p className="row wrap">
            <button type="button" className="main" onClick={() => act({ action: 'done' })}>
              It took effect
            </button>
            <button type="button" onClick={() => act({ action: 'failed' })}>
              It failed
            </button>
            <button type="button" className="danger" onClick={() => act({ action: 'retry' })}>
              Run it again
            </button>
          </p>
        </section>
      )}
      {job.state === 'unknown' && <Refusal text={refusal} />}
      <dl className="facts">
        <dt>Job</dt>
        <dd>{job.id}</dd>
        <dt>Queue</dt>
        <dd>{visible(job.queue)}</dd>
        {job.key !== undefined && (
          <>
            <dt>Key</dt>
            <dd>{visible(job.key)}</dd>
          </>
        )}
        <dt>Attempt</dt>
        <dd>
          {job.attempt}, {job.lost} lost
        </dd>
        <dt>Worker</dt>
        <dd>{visible(job.worker ?? 'none yet')}</dd>
        <dt>Created</dt>
        <dd>{time(job.createdAt)}</dd>
        <dt>Started</dt>
        <dd>{time(job.startedAt)}</dd>
        <dt>Finished</dt>
        <dd>{time(job.finishedAt)}</dd>
      </dl>
      {job.waitingFor !== undefined && question === undefined && (
        <p className="notice">Waits for {visible(job.waitingFor)}</p>
      )}
      {job.note !== undefined && job.state !== 'unknown' && (
        <p className="notice">
          {visible(job.note)}
          {job.settledBy !== undefined && `, settled by ${visible(job.settledBy)}`}
        </p>
      )}
      {!over.includes(job.state) && (
        <p>
          <button type="button" className="danger" onClick={() => act({ action: 'cancel' })}>
            Cancel the job
          </button>
        </p>
      )}
      {job.state !== 'unknown' && <Refusal text={refusal} />}
      <section>
        <h3>What happened</h3>
        <ol className="events">
          {job.events.map(({ at, kind, attempt, data }, index) => (
            <li key={index}>
              <time className="quiet" dateTime={new Date(at).toISOString()}>
                {new Date(at).toLocaleTimeString()}
              </time>
              <strong>{kind}</strong>
              <span className="quiet">attempt {attempt}</span>
              {data !== '{}' && <code>{visible(data.replaceAll(/\s+/g, ' '))}</code>}
            </li>
          ))}
        </ol>
      </section>
    </article>
  );
}
