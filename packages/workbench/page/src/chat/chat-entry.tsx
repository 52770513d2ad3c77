import type { ChatEntry } from '../../../src/contract/chat-data.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { DiffBlock } from '../parts/diff-block.tsx';
import { StateChip } from '../parts/state-chip.tsx';

/** One entry of the conversation. */
export function Entry({
  entry,
  isWaiting,
}: {
  readonly entry: ChatEntry;
  /** Whether the call waits for an answer of the user. */
  readonly isWaiting: boolean;
}) {
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
        <strong>{visible(entry.name)}</strong> <StateChip state={isWaiting ? 'waiting' : entry.state} />
        {entry.isFromText && <span className="chip warn">written as text</span>}
        <span className="quiet line">{visible(entry.arguments.replaceAll(/\s+/g, ' ').slice(0, 160))}</span>
      </summary>
      <CodeBlock title="Arguments" text={entry.arguments} />
      {entry.diff !== undefined && <DiffBlock title="What changed" patch={entry.diff} />}
      {entry.state !== 'running' && <CodeBlock title="What the model reads" text={entry.result} />}
    </details>
  );
}
