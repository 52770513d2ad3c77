import type { ServerMessageView } from '../../../src/contract/page-data.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';

interface MessageListProps {
  readonly messages: readonly ServerMessageView[];
  /** Shows the time of a message. */
  readonly timeOf: (at: number) => string;
}

/** Protocol messages in the given order. */
export function MessageList({ messages, timeOf }: MessageListProps) {
  return (
    <div className="messages">
      {messages.map(({ at, from, title, isError, text }, index) => (
        <details key={messages.length - index} className="call">
          <summary>
            <time className="quiet">{timeOf(at)}</time>
            <span className="chip">{from === 'client' ? 'sent' : 'received'}</span>
            <strong>{visible(title)}</strong>
            {isError && <span className="chip bad">error</span>}
          </summary>
          <CodeBlock title={title} text={text} />
        </details>
      ))}
    </div>
  );
}
