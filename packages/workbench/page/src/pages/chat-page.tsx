import { useEffect, useRef, useState } from 'react';
import type { ApprovalView } from '../../../src/contract/page-data.ts';
import { chatSession, type ChatState } from '../../../src/contract/chat-data.ts';
import { Entry } from '../chat/chat-entry.tsx';
import { ChatQuestions } from '../chat/chat-questions.tsx';
import { ModelBar } from '../chat/model-bar.tsx';
import { send } from '../data/request.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';

/** A conversation with an agent that uses the tools of this program. */
export function ChatPage({ questions }: { readonly questions: readonly ApprovalView[] }) {
  const { value: chat, problem } = useData<ChatState>('chat', 'chat');
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState('');
  const end = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const own = questions.filter(({ sessionId }) => sessionId === chatSession);
  const count = chat?.entries.length ?? 0;
  useEffect(() => {
    if (own.length === 0) end.current?.scrollIntoView({ block: 'end' });
  }, [count, own.length]);
  if (chat === undefined) return <Problem text={problem} />;
  if (!chat.isConnected) return <NoChat />;
  const act = async (path: string, body: object): Promise<void> => {
    setRefusal('');
    try {
      await send(path, body);
      if (path === 'chat') setText('');
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className="chat">
      <ModelBar chat={chat} />
      <section className="chat-log" aria-label="Conversation" tabIndex={0}>
        <div className="chat-entries" aria-live="polite">
          {count > 0 && <h2 className="unseen">Conversation</h2>}
          {count === 0 && (
            <EmptyState title="Give the agent a task">
              <p>
                It uses the <a href={routeTo('tools')}>tools</a> of this program. Calls that change something wait here
                for your answer, their changes are on <a href={routeTo('changes')}>Changes</a>, and the whole run is on{' '}
                <a href={routeTo('runs')}>Runs</a>. Without an endpoint, try the offline script: it needs no key and no
                network.
              </p>
            </EmptyState>
          )}
          {chat.entries.map((entry, index) => (
            <Entry
              key={index}
              entry={entry}
              isWaiting={
                entry.kind === 'call' && entry.state === 'running' && own.some((one) => one.callId === entry.id)
              }
            />
          ))}
          {chat.isRunning && <Progress own={own} all={questions} />}
        </div>
        <ChatQuestions questions={own} field={field} />
        <div ref={end} />
      </section>
      {refusal !== '' && (
        <p className="notice bad" role="alert">
          {refusal}
        </p>
      )}
      <form
        className="chat-form"
        onSubmit={(event) => {
          event.preventDefault();
          void act('chat', { text });
        }}
      >
        <textarea
          ref={field}
          value={text}
          rows={3}
          placeholder="Task for the agent (Ctrl+Enter sends it)"
          aria-label="Task for the agent"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void act('chat', { text });
          }}
        />
        <p className="row wrap">
          <button type="submit" className="main" disabled={chat.isRunning || text.trim() === ''}>
            Send
          </button>
          {chat.isRunning && (
            <button type="button" className="danger" onClick={() => void act('chat/stop', {})}>
              Stop
            </button>
          )}
          {count > 0 && (
            <button type="button" onClick={() => void act('chat/clear', {})}>
              New conversation
            </button>
          )}
          <span className="quiet">
            {chat.tokens > 0 && `${chat.tokens.toLocaleString('en')} tokens`}
            {chat.costUsd > 0 && `, $${chat.costUsd.toFixed(4)}`}
          </span>
        </p>
      </form>
    </div>
  );
}

/** What the agent does, or waits for. */
function Progress({ own, all }: { readonly own: readonly ApprovalView[]; readonly all: readonly ApprovalView[] }) {
  const [first] = own;
  if (first !== undefined)
    return (
      <p className="notice warn">
        {own.length === 1 ? 'A call waits' : `${own.length} calls wait`} for your answer: {visible(first.title)}
      </p>
    );
  if (all.length === 0) return <p className="notice">The agent works…</p>;
  return (
    <p className="notice">
      The agent works… A call of another session, such as a subagent, waits for an answer.{' '}
      <a href={routeTo('approvals')}>See the question</a>
    </p>
  );
}

function NoChat() {
  return (
    <EmptyState title="This program has no chat">
      <p>Pass a model and the agent loop, and talk to an agent that uses your tools:</p>
      <CodeBlock
        title="In your program"
        text={[
          "import { runAgent } from '@haft/runner';",
          '',
          "const chat = createChat({ run: runAgent, models: { 'my model': model } });",
          'const workbench = createWorkbench({ toolkit, chat });',
        ].join('\n')}
      />
    </EmptyState>
  );
}
