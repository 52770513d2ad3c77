import type { JobDetails, JobQuestionView } from '../../../src/contract/job-data.ts';
import { useData } from '../data/use-data.ts';
import { visible } from '../data/visible.ts';
import { CallResult } from '../parts/call-result.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Problem } from '../parts/problem.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { JobQuestion } from './job-question.tsx';
import { Refusal } from './refusal.tsx';
import { useAction } from './use-action.ts';

const over = ['done', 'failed', 'cancelled', 'unknown'];

/** One job: its state, what a person can do with it, its arguments and result, and its events. */
export function Job({
  id,
  question,
  onAnswer,
}: {
  readonly id: string;
  readonly question: JobQuestionView | undefined;
  /** Called when the program has taken the answer to the question. */
  readonly onAnswer: (question: JobQuestionView, isAllowed: boolean) => void;
}) {
  const path = `jobs/${encodeURIComponent(id)}`;
  const { value: job, problem } = useData<JobDetails>(path, 'jobs');
  const [refusal, act] = useAction(path);
  if (job === undefined) return <Problem text={problem} />;
  const time = (at: number | undefined): string => (at === undefined ? 'not yet' : new Date(at).toLocaleString());
  // The card of an unknown outcome and the error of a failed job say the same.
  const isNoteRepeated = job.state === 'unknown' || (job.state === 'failed' && job.settledBy === undefined);
  return (
    <article className="wide">
      <h2>
        {visible(job.tool)} <StateChip state={job.state} />
      </h2>
      {question !== undefined && <JobQuestion question={question} onAnswer={onAnswer} />}
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
      {job.note !== undefined && !isNoteRepeated && (
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
      {question === undefined && <CodeBlock title="Arguments (secrets are masked)" text={job.arguments} />}
      {job.result !== undefined && <CallResult call={job.result} />}
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
