import { useState, type ReactNode } from 'react';
import type { ServerMessageView } from '../../../src/contract/page-data.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';

interface MessageListProps {
  readonly messages: readonly ServerMessageView[];
  /** Shows the time of a message. */
  readonly timeOf: (at: number) => ReactNode;
}

/** Protocol messages in the given order. */
export function MessageList({ messages, timeOf }: MessageListProps) {
  return (
    <div className="messages">
      {messages.map((message, index) => (
        <Message key={messages.length - index} message={message} time={timeOf(message.at)} />
      ))}
    </div>
  );
}

/** One message. Its text is read only while it is shown. */
function Message({ message, time }: { readonly message: ServerMessageView; readonly time: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {time}
        <span className="chip">{message.from === 'client' ? 'sent' : 'received'}</span>
        <strong>{visible(message.title)}</strong>
        {message.isError && <span className="chip bad">error</span>}
      </summary>
      {isOpen && <CodeBlock title={message.title} text={message.text} />}
    </details>
  );
}
