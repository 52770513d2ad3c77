import type { ChatEntry } from '../../../src/contract/chat-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { DiffBlock } from '../parts/diff-block.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { writeQuery } from '../text/model/text-state.ts';
import { Markdown } from './markdown.tsx';

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
        {entry.text.trim() !== '' && <Markdown text={entry.text.trim()} />}
        {entry.written !== undefined && <WrittenText text={entry.written} />}
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

/** The whole text of an answer in which calls were found. */
function WrittenText({ text }: { readonly text: string }) {
  const query = writeQuery({ text, schema: '', tools: '', stopped: 'stop', marks: '' });
  return (
    <details className="message">
      <summary>whole text, with the calls as the model wrote them</summary>
      <CodeBlock title="Text of the model" text={text} />
      {query !== undefined && (
        <p>
          <a href={`${routeTo('text')}?${query}`}>See in Text X-ray how it was read</a>
        </p>
      )}
    </details>
  );
}
