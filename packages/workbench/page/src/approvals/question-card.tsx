import { useEffect, useRef, useState } from 'react';
import type { ApprovalView } from '../../../src/contract/page-data.ts';
import { read } from '../data/request.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { DiffBlock } from '../parts/diff-block.tsx';
import { AnswerButtons, type Answer } from './answer-buttons.tsx';
import { serverOf } from './server-question.ts';

/** A question with everything that the answer depends on. */
export function QuestionCard({
  question,
  isMarked,
  isChosen,
  refusal,
  onAnswer,
}: {
  readonly question: ApprovalView;
  /** The keys a and d answer it. */
  readonly isMarked: boolean;
  /** The URL names it. */
  readonly isChosen: boolean;
  /** Why the program did not take the latest answer. */
  readonly refusal?: string | undefined;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const uncertainties = question.uncertainties.filter((line) => line !== question.reason);
  const server = serverOf(question);
  const isSplit = question.commands.length > 1 || question.commands[0] !== question.command;
  return (
    <article
      ref={card}
      tabIndex={-1}
      aria-label={visible(question.title)}
      className={isMarked ? 'card question marked' : 'card question'}
    >
      <header className="row wrap">
        <h2>
          <a href={routeTo('approvals', question.id)}>{visible(question.title)}</a>
        </h2>
        {isMarked && <span className="chip keys">a and d answer this</span>}
      </header>
      <p className="quiet">
        {server === undefined ? (
          <>
            <a href={routeTo('tools', question.tool)}>{question.tool}</a> of {question.provider}
          </>
        ) : (
          <a href={routeTo('servers', server === '' ? '' : `server:${server}`)}>Start of an MCP server</a>
        )}
        , asked at {new Date(question.askedAt).toLocaleTimeString()}
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
      <AnswerButtons question={question} refusal={refusal} onAnswer={onAnswer} />
    </article>
  );
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
