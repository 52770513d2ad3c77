import { useEffect, useState } from 'react';
import type { ApprovalList, ApprovalView } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import type { Loaded } from '../data/use-data.ts';
import { CodeBlock, visible } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { isTyping } from '../parts/use-list-keys.ts';

type Answer =
  | { readonly action: 'allow'; readonly scope: string }
  | { readonly action: 'deny'; readonly reason: string };

/** The questions that wait for an answer. */
export function ApprovalsPage({ loaded: { value, problem } }: { readonly loaded: Loaded<ApprovalList> }) {
  const [refusal, setRefusal] = useState('');
  const first = value?.questions[0]?.id;
  const answer = (id: string, given: Answer): void => {
    setRefusal('');
    send(`approvals/${encodeURIComponent(id)}`, given).catch((error: unknown) =>
      setRefusal(error instanceof Error ? error.message : String(error)),
    );
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (first === undefined || isTyping(event) || event.repeat || event.metaKey || event.ctrlKey || event.altKey)
        return;
      if (event.key === 'a') answer(first, { action: 'allow', scope: 'once' });
      if (event.key === 'd') answer(first, { action: 'deny', reason: '' });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [first]);
  if (value === undefined) return <Problem text={problem} />;
  if (!value.isConnected) {
    return (
      <EmptyState title="Questions are not shown here">
        <p>Create a queue, and pass it to the program and to the workbench:</p>
        <CodeBlock
          title="In your program"
          text={[
            'const approvals = createApprovals();',
            'const toolkit = await createToolkit({ ask: approvals.ask });',
            'const workbench = createWorkbench({ toolkit, approvals });',
          ].join('\n')}
        />
      </EmptyState>
    );
  }
  return (
    <div className="column">
      {refusal !== '' && (
        <p className="notice bad" role="alert">
          {refusal}
        </p>
      )}
      {value.questions.length === 0 ? (
        <EmptyState title="Nothing waits for you">
          <p>When a call needs approval, it waits here with its exact arguments until you answer or it is cancelled.</p>
        </EmptyState>
      ) : (
        <>
          <p className="quiet">
            {value.questions.length} {value.questions.length === 1 ? 'call waits' : 'calls wait'}. Keys for the first
            one: <kbd>a</kbd> allows it once, <kbd>d</kbd> denies it.
          </p>
          {value.questions.map((question) => (
            <Question key={question.id} question={question} onAnswer={(given) => answer(question.id, given)} />
          ))}
        </>
      )}
    </div>
  );
}

function Question({
  question,
  onAnswer,
}: {
  readonly question: ApprovalView;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const [reason, setReason] = useState('');
  const uncertainties = question.uncertainties.filter((line) => line !== question.reason);
  const allow = (scope: string) => () => onAnswer({ action: 'allow', scope });
  return (
    <article className="card">
      <h2>{visible(question.title)}</h2>
      <p className="quiet">
        {question.tool} of {question.provider}, asked at {new Date(question.askedAt).toLocaleTimeString()}
        {question.sessionId !== '' && `, session ${question.sessionId}`}
      </p>
      <p className="notice warn">
        Why you are asked: {visible(question.reason)}
        {question.ruleKey !== undefined && ` (rule ${question.ruleKey})`}
      </p>
      {uncertainties.length > 0 && (
        <ul className="dots notice warn">
          {uncertainties.map((line) => (
            <li key={line}>{visible(line)}</li>
          ))}
        </ul>
      )}
      {question.command !== undefined && <CodeBlock title="Command" text={question.command} />}
      <Paths title="Writes" paths={question.writes} />
      <Paths title="Reads" paths={question.reads} />
      <CodeBlock title="Exact arguments" text={question.arguments} />
      <div className="row wrap">
        <button type="button" className="main" onClick={allow('once')}>
          Allow once
        </button>
        <button type="button" onClick={allow('session')}>
          Allow for the session
        </button>
        <button type="button" onClick={allow('always')}>
          Always allow this call
        </button>
      </div>
      <form
        className="row wrap"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer({ action: 'deny', reason });
        }}
      >
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
    </article>
  );
}

function Paths({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <p>
      {title}:{' '}
      {paths.map((path, index) => (
        <span key={path}>
          {index > 0 && ', '}
          <code>{visible(path)}</code>
        </span>
      ))}
    </p>
  );
}
