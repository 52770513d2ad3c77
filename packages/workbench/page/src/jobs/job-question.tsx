import { useState } from 'react';
import type { JobQuestionView } from '../../../src/contract/job-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { ReasonInput } from '../parts/reason-input.tsx';
import { Refusal } from './refusal.tsx';
import { useAction } from './use-action.ts';

/** A call of a job that waits for a person. */
export function JobQuestion({
  question,
  onAnswer,
}: {
  readonly question: JobQuestionView;
  /** Called when the program has taken the answer. */
  readonly onAnswer: (question: JobQuestionView, isAllowed: boolean) => void;
}) {
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
          act({ action: 'deny', reason }, () => onAnswer(question, false));
        }}
      >
        <button type="button" className="main" onClick={() => act({ action: 'allow' }, () => onAnswer(question, true))}>
          Allow this call
        </button>
        <button type="submit" className="danger">
          Deny
        </button>
        <ReasonInput value={reason} onChange={setReason} />
      </form>
      <Refusal text={problem} />
    </article>
  );
}
