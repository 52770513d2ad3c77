'use client';

import { useChat } from '@ai-sdk/react';
import { isToolUIPart, getToolName, type UIMessage } from 'ai';
import { useState } from 'react';

export default function Page() {
  const { messages, sendMessage, status, stop, error } = useChat();
  const [text, setText] = useState('');
  const isBusy = status === 'submitted' || status === 'streaming';
  return (
    <main>
      <h1>my-haft-project</h1>
      {messages.length === 0 && <p>Ask something, such as: How warm is it in Oslo and in Rome?</p>}
      <ol aria-live="polite">
        {messages.map((message) => (
          <li key={message.id} className={message.role}>
            {message.parts.map((part, index) => (
              <Part key={index} part={part} />
            ))}
          </li>
        ))}
      </ol>
      {error !== undefined && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === '' || isBusy) return;
          void sendMessage({ text });
          setText('');
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        {isBusy ? (
          <button key="stop" type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button key="send">Send</button>
        )}
      </form>
    </main>
  );
}

function Part({ part }: { readonly part: UIMessage['parts'][number] }) {
  if (part.type === 'text') return <p>{part.text}</p>;
  if (!isToolUIPart(part)) return null;
  const state = part.state === 'output-available' ? 'done' : part.state === 'output-error' ? part.errorText : 'running';
  return (
    <p className="call">
      {getToolName(part)} {JSON.stringify(part.input)}: {state}
    </p>
  );
}
