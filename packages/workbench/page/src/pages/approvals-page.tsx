import { useLayoutEffect, useMemo } from 'react';
import { chatSession } from '../../../src/contract/chat-data.ts';
import { ownSession, type ApprovalList, type ApprovalView, type CallList } from '../../../src/contract/page-data.ts';
import { useData, type Loaded } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { QuestionCard } from '../approvals/question-card.tsx';
import { mayWaitToAsk } from '../approvals/may-wait-to-ask.ts';
import { answerOfKey, useAnswering } from '../approvals/use-answering.ts';
import { useIsSettled } from '../approvals/use-is-settled.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { serverOf } from '../approvals/server-question.ts';
import { CallLink } from '../parts/record-links.tsx';
import { isTyping, useListKeys } from '../parts/use-list-keys.ts';

/** Time during which keys do not answer a question that has just taken the place of another, in milliseconds. */
const keyDelayMs = 400;

/** The questions that wait for an answer. */
export function ApprovalsPage({
  id,
  loaded: { value, problem },
}: {
  readonly id: string;
  readonly loaded: Loaded<ApprovalList>;
}) {
  const questions = value?.questions ?? [];
  const calls = useData<CallList>('calls', 'calls').value?.calls ?? [];
  const behind = calls.filter((call) => mayWaitToAsk(call, questions)).length;
  const { answer, answered, refusalOf, lostRefusal } = useAnswering(questions);
  const marked = questions.find((one) => one.id === id) ?? questions[0];
  const first = marked?.id;
  const takesKeys = useIsSettled(first, keyDelayMs);
  const joined = questions.map((one) => routeTo('approvals', one.id)).join(' ');
  useListKeys(useMemo(() => (joined === '' ? [] : joined.split(' ')), [joined]));
  // Before the browser shows the mark: a key always answers the question that is marked on the screen.
  useLayoutEffect(() => {
    if (!takesKeys) return undefined;
    const press = (event: KeyboardEvent): void => {
      const given = answerOfKey(event);
      if (marked !== undefined && given !== undefined && !isTyping(event)) void answer(marked, given);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [first, takesKeys]);
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
      {lostRefusal !== undefined && (
        <p className="notice bad" role="alert">
          {lostRefusal}
        </p>
      )}
      {answered.length > 0 && (
        <section className="card" aria-label="Your latest answers">
          <h2>Your latest answers</h2>
          <ul className="answered">
            {answered.map(({ question, isAllowed }) => (
              <li key={question.id} className="row wrap">
                <span>
                  {isAllowed ? 'You allowed' : 'You denied'} <strong>{visible(question.title)}</strong>.
                </span>
                <AfterAnswer question={question} isAllowed={isAllowed} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {value.questions.length === 0 ? (
        <EmptyState title="Nothing waits for you">
          <p>When a call needs approval, it waits here with its exact arguments until you answer or it is cancelled.</p>
        </EmptyState>
      ) : (
        <>
          <p className="quiet">
            {value.questions.length} {value.questions.length === 1 ? 'call waits' : 'calls wait'}
            {behind > 0 && `, and ${behind} more may wait behind ${questions.length === 1 ? 'it' : 'them'}`}.{' '}
            <kbd>a</kbd> presses the first button of the marked one, <kbd>d</kbd> denies it, <kbd>j</kbd> and{' '}
            <kbd>k</kbd> mark another one. Each session asks one question at a time: its next one comes after your
            answer.
          </p>
          {id !== '' && first !== id && !answered.some(({ question }) => question.id === id) && (
            <p className="notice">
              The question of this URL no longer waits: it was answered, or its call was cancelled.
            </p>
          )}
          <div className="questions">
            {value.questions.map((question) => (
              <QuestionCard
                key={question.id}
                question={question}
                isMarked={question.id === first && takesKeys}
                isChosen={question.id === id}
                refusal={refusalOf(question.id)}
                onAnswer={(given) => void answer(question, given)}
              />
            ))}
          </div>
        </>
      )}
    </div>
  );
}

/** Pages of the workbench that make calls, by the session of their calls. */
const origins: Readonly<Record<string, { readonly page: string; readonly label: string }>> = {
  [ownSession]: { page: 'tools', label: 'Back to the form' },
  [chatSession]: { page: 'chat', label: 'Back to the chat' },
};

/** Where to go after an answer: to the server that it starts, or to the call and its run. */
function AfterAnswer({ question, isAllowed }: { readonly question: ApprovalView; readonly isAllowed: boolean }) {
  const server = serverOf(question);
  if (server === undefined) {
    const origin = origins[question.sessionId];
    return (
      <>
        <CallLink callId={question.callId} tool={question.tool} />
        {origin !== undefined && (
          <a className="choice" href={routeTo(origin.page, origin.page === 'tools' ? question.tool : '')}>
            {origin.label}
          </a>
        )}
      </>
    );
  }
  return (
    <a className="choice" href={routeTo('servers', server === '' ? '' : `server:${server}`)}>
      {isAllowed ? 'See the server' : 'See the servers'}
    </a>
  );
}
