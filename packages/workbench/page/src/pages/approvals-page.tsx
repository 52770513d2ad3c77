import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApprovalList, ApprovalView } from '../../../src/contract/page-data.ts';
import { read, send } from '../data/request.ts';
import type { Loaded } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { DiffBlock } from '../parts/diff-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { isTyping, useListKeys } from '../parts/use-list-keys.ts';

type Answer =
  | { readonly action: 'allow'; readonly scope: string; readonly command?: string }
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
            the marked one once, <kbd>d</kbd> denies it, <kbd>j</kbd> and <kbd>k</kbd> mark another one. A program asks
            its questions one at a time: the next one comes after your answer.
          </p>
          {id !== '' && first !== id && (
            <p className="notice">
              The question of this URL no longer waits: it was answered, or its call was cancelled.
            </p>
          )}
          <div className="questions">
            {value.questions.map((question) => (
              <Question
                key={question.id}
                question={question}
                isMarked={question.id === first}
                isChosen={question.id === id}
                onAnswer={(given) => answer(question.id, given)}
              />
            ))}
          </div>
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
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const uncertainties = question.uncertainties.filter((line) => line !== question.reason);
  const isSplit = question.commands.length > 1 || question.commands[0] !== question.command;
  return (
    <article ref={card} className={isMarked ? 'card question marked' : 'card question'}>
      <header className="row wrap">
        <h2>
          <a href={routeTo('approvals', question.id)}>{visible(question.title)}</a>
        </h2>
        {isMarked && <span className="chip">a and d answer this</span>}
      </header>
      <p className="quiet">
        <a href={routeTo('tools', question.tool)}>{question.tool}</a> of {question.provider}, asked at{' '}
        {new Date(question.askedAt).toLocaleTimeString()}
        {question.sessionId !== '' && `, session ${visible(question.sessionId)}`}
      </p>
      <p className="notice warn">
        Why you are asked: {visible(question.reason)}
        {question.ruleKey !== undefined && ` (rule ${visible(question.ruleKey)})`}
      </p>
      {uncertainties.length > 0 && (
        <ul className="dots notice warn">
          {uncertainties.map((line) => (
            <li key={line}>{visible(line)}</li>
          ))}
        </ul>
      )}
      {question.command !== undefined && <CodeBlock title="Command" text={question.command} />}
      {question.command !== undefined && isSplit && (
        <section aria-label="Commands that it runs">
          <h3>
            {question.commands.length === 1 ? 'It runs 1 command' : `It runs ${question.commands.length} commands`}
          </h3>
          <ol className="commands">
            {question.commands.map((line, index) => (
              <li key={index}>
                <code>{visible(line)}</code>
              </li>
            ))}
          </ol>
        </section>
      )}
      <Paths title="Writes" paths={question.writes} cwd={question.cwd} />
      <Paths title="Reads" paths={question.reads} cwd={question.cwd} />
      {question.writes.length > 0 && <Preview id={question.id} />}
      <CodeBlock title="Exact arguments" text={question.arguments} />
      <Answers question={question} onAnswer={onAnswer} />
    </article>
  );
}

/** The buttons, and the rule that a lasting answer adds. They stay in sight below a long question. */
function Answers({
  question,
  onAnswer,
}: {
  readonly question: ApprovalView;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const { tool, provider, command = '', isSimpleCommand, cwd } = question;
  const [reason, setReason] = useState('');
  const [pattern, setPattern] = useState('');
  const allow = (scope: string) => () =>
    onAnswer({ action: 'allow', scope, ...(pattern.trim() === '' ? {} : { command: pattern.trim() }) });
  const rule =
    command === ''
      ? `allow ${tool} of ${provider} with exactly these arguments`
      : `allow ${pattern.trim() === '' ? command : pattern.trim()} in ${cwd}`;
  return (
    <div className="answers">
      <div className="row wrap">
        <button type="button" className="main" onClick={() => onAnswer({ action: 'allow', scope: 'once' })}>
          Allow once
        </button>
        <button type="button" onClick={allow('session')}>
          Allow for the session
        </button>
        <button type="button" onClick={allow('always')}>
          Always allow
        </button>
        <form
          className="row deny"
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
      </div>
      <details>
        <summary className="quiet">
          “Session” and “always” add this rule: <code>{visible(rule)}</code>
        </summary>
        {isSimpleCommand ? (
          <label className="field">
            <span>
              Allow more commands with a pattern. It must begin with the program and match this command, such as{' '}
              <code>{visible(patternOf(command))}</code>
            </span>
            <input
              value={pattern}
              placeholder="exactly this command"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setPattern(event.target.value)}
            />
          </label>
        ) : (
          <p className="quiet">
            Every other call asks again.
            {command !== '' && ' A pattern can allow only lines that are one simple command.'}
          </p>
        )}
      </details>
    </div>
  );
}

/** A pattern that keeps the program and its first word. */
function patternOf(command: string): string {
  const [program = '', first, ...rest] = command.trim().split(/\s+/);
  if (first === undefined) return program;
  return rest.length === 0 ? `${program} *` : `${program} ${first} *`;
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

function Paths({
  title,
  paths,
  cwd,
}: {
  readonly title: string;
  readonly paths: readonly string[];
  readonly cwd: string;
}) {
  if (paths.length === 0) return null;
  return (
    <p>
      {title}:{' '}
      {paths.map((path, index) => (
        <span key={path}>
          {index > 0 && ', '}
          <code title={path}>{visible(within(path, cwd))}</code>
        </span>
      ))}
    </p>
  );
}

/** Shortens a path below the working directory. */
function within(path: string, cwd: string): string {
  return cwd !== '' && path.startsWith(`${cwd}/`) && path.length > cwd.length + 1 ? path.slice(cwd.length + 1) : path;
}
