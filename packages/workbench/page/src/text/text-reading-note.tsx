import { countOf, riskName } from './model/plain-words.ts';
import { maxMarkedLength } from './marked-editor.tsx';
import type { ShownReading } from './use-text-reading.ts';

interface ReadingNoteProps {
  readonly shown: ShownReading;
  readonly isCurrent: boolean;
}

/** The legend of the marks, and a summary of the reading. */
export function ReadingNote({ shown, isCurrent }: ReadingNoteProps) {
  return (
    <>
      <p className="legend" aria-label="What the marks mean">
        <span>
          <mark className="safe">safe</mark> no other reading
        </span>
        <span>
          <mark className="lossy">lossy</mark> a choice
        </span>
        <span>
          <mark className="truncated">truncated</mark> cut
        </span>
        <span>
          <mark className="call">call</mark>
        </span>
        <span>
          <mark className="rejected">rejected</mark>
        </span>
      </p>
      <p className="quiet">Point at a mark to see why. A click keeps the explanation, and shows its row.</p>
      <p id="reading-note" className="quiet" role="status">
        {!isCurrent ? 'Reading…' : summaryOf(shown)}
      </p>
    </>
  );
}

function summaryOf({ text, reading, problem }: ShownReading): string {
  if (reading === undefined) return `This can’t be read with these declarations: ${problem ?? ''}`;
  if (text.trim() === '') return 'There is no text yet.';
  const { value, extraction, milliseconds } = reading;
  const { calls, rejected } = extraction;
  const valueWords = value.ok
    ? `value ${riskName[value.risk]}, ${countOf(value.repairs.length, 'repair')}`
    : 'no value';
  const callWords = `${countOf(calls.length, 'call')}${rejected.length > 0 ? `, ${rejected.length} rejected` : ''}`;
  const time = milliseconds < 1 ? 'under 1 ms' : `${Math.round(milliseconds)} ms`;
  const unmarked = text.length > maxMarkedLength ? ' Too long for marks in the text.' : '';
  return `${countOf(text.length, 'character')} read in ${time}: ${valueWords}; ${callWords}.${unmarked}`;
}
