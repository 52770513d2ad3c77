import { countOf, riskName } from './model/plain-words.ts';
import type { Reading } from './model/read-text.ts';
import { visible } from '../data/visible.ts';
import { maxMarkedLength } from './marked-editor.tsx';
import type { ShownReading } from './use-reading.ts';

interface ReadingNoteProps {
  readonly shown: ShownReading;
  readonly isCurrent: boolean;
  /** The highlighted span. */
  readonly current: string | undefined;
}

/** The legend of the marks, the mark under the pointer, and a summary of the reading. */
export function ReadingNote({ shown, isCurrent, current }: ReadingNoteProps) {
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
      <p className="pointed">
        {describe(shown.reading, current) ?? (
          <span className="quiet">Point at a mark or a row to see the other; a click keeps it.</span>
        )}
      </p>
      <p id="reading-note" className="quiet" role="status">
        {!isCurrent ? 'Reading…' : summaryOf(shown)}
      </p>
    </>
  );
}

function summaryOf({ text, reading, problem }: ShownReading): string {
  if (reading === undefined) return `This can’t be read with these declarations: ${problem ?? ''}`;
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

/** Describes a span in one line. */
function describe(reading: Reading | undefined, id: string | undefined): string | undefined {
  if (reading === undefined || id === undefined) return undefined;
  const { calls, rejected } = reading.extraction;
  const [kind = '', first = '', second] = id.split('-');
  const at = Number(first);
  if (kind === 'stopped' && !reading.value.ok) return visible(reading.value.message);
  if (kind === 'rejected') return rejected[at] && `${rejected[at].name ?? 'unnamed'}: ${rejected[at].reason}`;
  if (kind === 'call' && second === undefined) return calls[at] && `call of ${calls[at].name}, ${calls[at].envelope}`;
  const list = kind === 'value' ? (reading.value.ok ? reading.value.repairs : []) : (calls[at]?.repairs ?? []);
  const repair = list[kind === 'value' ? at : Number(second)];
  if (repair === undefined) return undefined;
  const { code, found, assumed, risk } = repair;
  return visible(
    `${code}: ${found === '' ? 'nothing' : found} → ${assumed === '' ? 'left out' : assumed} (${riskName[risk]})`,
  );
}
