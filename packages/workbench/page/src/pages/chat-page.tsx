import { useEffect, useRef, useState } from 'react';
import type { ChatEntry, ChatState } from '../../../src/contract/chat-data.ts';
import { send } from '../data/request.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { DiffBlock } from '../parts/diff-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { StateChip } from '../parts/state-chip.tsx';

/** A conversation with an agent that uses the tools of this program. */
export function ChatPage({ waiting }: { readonly waiting: number }) {
  const { value: chat, problem } = useData<ChatState>('chat', 'chat');
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState('');
  const end = useRef<HTMLDivElement>(null);
  const count = chat?.entries.length ?? 0;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [count]);
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
      <ModelBar chat={chat} act={act} />
      <section className="chat-log" aria-label="Conversation" aria-live="polite" tabIndex={0}>
        {count > 0 && <h2 className="unseen">Conversation</h2>}
        {count === 0 && (
          <EmptyState title="Give the agent a task">
            <p>
              It uses the <a href={routeTo('tools')}>tools</a> of this program. Calls that change something wait for you
              on the page <a href={routeTo('approvals')}>Approvals</a>, their changes are on{' '}
              <a href={routeTo('changes')}>Changes</a>, and the whole run is on <a href={routeTo('runs')}>Runs</a>.
              Without an endpoint, try the offline script: it needs no key and no network.
            </p>
          </EmptyState>
        )}
        {chat.entries.map((entry, index) => (
          <Entry key={index} entry={entry} />
        ))}
        {chat.isRunning && (
          <p className="notice">
            {waiting > 0 ? (
              <>
                A call waits for you. <a href={routeTo('approvals')}>Answer it</a>
              </>
            ) : (
              'The agent works…'
            )}
          </p>
        )}
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

function ModelBar({
  chat,
  act,
}: {
  readonly chat: ChatState;
  readonly act: (path: string, body: object) => Promise<void>;
}) {
  const [baseUrl, setBaseUrl] = useState('http://localhost:11434/v1');
  const [model, setModel] = useState('');
  const [apiKey, setApiKey] = useState('');
  return (
    <div className="chat-models">
      <label className="field">
        <span>Model</span>
        <select value={chat.model} onChange={(event) => void act('chat/model', { model: event.target.value })}>
          {chat.models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {chat.canConnect && (
        <details>
          <summary>Connect another model</summary>
          <form
            className="row wrap"
            onSubmit={(event) => {
              event.preventDefault();
              void act('chat/connect', { baseUrl, model, apiKey });
              setApiKey('');
            }}
          >
            <label className="field">
              <span>OpenAI-compatible URL</span>
              <input value={baseUrl} autoComplete="off" onChange={(event) => setBaseUrl(event.target.value)} />
            </label>
            <label className="field">
              <span>Name of the model</span>
              <input value={model} autoComplete="off" onChange={(event) => setModel(event.target.value)} />
            </label>
            <label className="field">
              <span>Key (kept in the program’s memory only)</span>
              <input
                type="password"
                value={apiKey}
                autoComplete="off"
                onChange={(event) => setApiKey(event.target.value)}
              />
            </label>
            <button type="submit">Connect</button>
          </form>
        </details>
      )}
    </div>
  );
}

function Entry({ entry }: { readonly entry: ChatEntry }) {
  if (entry.kind === 'note') return <p className={`notice ${entry.isProblem ? 'bad' : ''}`}>{visible(entry.text)}</p>;
  if (entry.kind === 'user') return <p className="said prose">{visible(entry.text)}</p>;
  if (entry.kind === 'assistant') {
    return (
      <div>
        {entry.reasoning !== '' && (
          <details className="message">
            <summary>reasoning</summary>
            <p className="prose">{visible(entry.reasoning)}</p>
          </details>
        )}
        {entry.text !== '' && <p className="prose">{visible(entry.text)}</p>}
      </div>
    );
  }
  return (
    <details className="call">
      <summary>
        <strong>{visible(entry.name)}</strong> <StateChip state={entry.state} />
        {entry.isFromText && <span className="chip warn">written as text</span>}
        <span className="quiet line">{visible(entry.arguments.replaceAll(/\s+/g, ' ').slice(0, 160))}</span>
      </summary>
      <CodeBlock title="Arguments" text={entry.arguments} />
      {entry.diff !== undefined && <DiffBlock title="What changed" patch={entry.diff} />}
      {entry.state !== 'running' && <CodeBlock title="What the model reads" text={entry.result} />}
    </details>
  );
}
