import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApprovalList, ApprovalView } from '../../../src/contract/page-data.ts';
import { read, send } from '../data/request.ts';
import type { Loaded } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { CodeBlock, visible } from '../parts/code-block.tsx';
import { DiffBlock } from '../parts/diff-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { isTyping, useListKeys } from '../parts/use-list-keys.ts';

type Answer =
  | { readonly action: 'allow'; readonly scope: string }
  | { readonly action: 'deny'; readonly reason: string };

/** The questions that wait for an answer. */
export function ApprovalsPage({
  id,
  loaded: { value, problem },
}: {
  readonly id: string;
  readonly loaded: Loaded<ApprovalList>;
}) {
  const [refusal, setRefusal] = useState('');
  const questions = value?.questions ?? [];
  const first = (questions.find((one) => one.id === id) ?? questions[0])?.id;
  const joined = questions.map((one) => routeTo('approvals', one.id)).join(' ');
  useListKeys(useMemo(() => (joined === '' ? [] : joined.split(' ')), [joined]));
  const answer = (question: string, given: Answer): void => {
    setRefusal('');
    send(`approvals/${encodeURIComponent(question)}`, given).catch((error: unknown) =>
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
            {value.questions.length} {value.questions.length === 1 ? 'call waits' : 'calls wait'}. <kbd>a</kbd> allows
            the marked one once, <kbd>d</kbd> denies it, <kbd>j</kbd> and <kbd>k</kbd> mark another one.
          </p>
          {id !== '' && first !== id && (
            <p className="notice">
              The question of this URL no longer waits: it was answered, or its call was cancelled.
            </p>
          )}
          {value.questions.map((question) => (
            <Question
              key={question.id}
              question={question}
              isMarked={question.id === first}
              isChosen={question.id === id}
              onAnswer={(given) => answer(question.id, given)}
            />
          ))}
        </>
      )}
    </div>
  );
}

function Question({
  question,
  isMarked,
  isChosen,
  onAnswer,
}: {
  readonly question: ApprovalView;
  /** The keys a and d answer it. */
  readonly isMarked: boolean;
  /** The URL names it. */
  readonly isChosen: boolean;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const [reason, setReason] = useState('');
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const uncertainties = question.uncertainties.filter((line) => line !== question.reason);
  const allow = (scope: string) => () => onAnswer({ action: 'allow', scope });
  return (
    <article ref={card} className={isMarked ? 'card marked' : 'card'}>
      <h2>
        <a href={routeTo('approvals', question.id)}>{visible(question.title)}</a>
      </h2>
      <p className="quiet">
        <a href={routeTo('tools', question.tool)}>{question.tool}</a> of {question.provider}, asked at{' '}
        {new Date(question.askedAt).toLocaleTimeString()}
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
      {question.writes.length > 0 && <Preview id={question.id} />}
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
      <p className="quiet">{ruleOf(question)}</p>
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

/** Says which calls the answers for the session and for always allow. */
function ruleOf({ tool, command, cwd }: ApprovalView): string {
  return command === undefined
    ? `“For the session” and “always” write a rule that allows ${tool} with exactly these arguments. Other calls ask again.`
    : `“For the session” and “always” write a rule that allows exactly this command in ${visible(cwd)}. Other commands ask again.`;
}

/** The change that the call would make. It is read once, because the file may change afterwards. */
function Preview({ id }: { readonly id: string }) {
  const [preview, setPreview] = useState<{ readonly path?: string; readonly patch?: string }>({});
  useEffect(() => {
    read<{ readonly path?: string; readonly patch?: string }>(`approvals/${encodeURIComponent(id)}`).then(
      setPreview,
      () => undefined,
    );
  }, [id]);
  const { path, patch } = preview;
  if (path === undefined || patch === undefined) return null;
  if (patch === '') return <p className="notice">The file already holds exactly this content.</p>;
  return <DiffBlock title={`Change that it would make: ${visible(path)}`} patch={patch} />;
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
