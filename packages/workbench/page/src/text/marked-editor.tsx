import { memo, useMemo, useRef } from 'react';
import { MarkNote } from './mark-note.tsx';
import type { Explanation } from './model/explain-span.ts';
import { cutIntoSegments, type Span } from './model/segments.ts';

/** Maximum length of a marked text: beyond it, laying out the text twice would slow down typing. */
export const maxMarkedLength = 200_000;

/** Maximum number of marked spans. */
const maxSpans = 2_000;

interface MarkedEditorProps {
  readonly text: string;
  /** The range that has arrived; the rest is shown faintly. */
  readonly length: number;
  readonly spans: readonly Span[];
  /** IDs of the highlighted spans. */
  readonly active: ReadonlySet<string>;
  /** The explained span. */
  readonly explained: { readonly id: string; readonly explanation: Explanation } | undefined;
  readonly describedBy: string;
  readonly onChange: (text: string) => void;
  /** Called with the narrowest span under the pointer. */
  readonly onPoint: (id: string | undefined) => void;
  readonly onPick: (id: string | undefined) => void;
}

/** A text area over a marked copy of its text. The copy determines the height, so that only one element scrolls. */
export function MarkedEditor(props: MarkedEditorProps) {
  const { text, length, spans, active, explained, describedBy, onChange, onPoint, onPick } = props;
  const frame = useRef<HTMLDivElement>(null);
  const twin = useRef<HTMLDivElement>(null);
  const isLong = text.length > maxMarkedLength;
  const spanAt = (x: number, y: number): string | undefined =>
    document
      .elementsFromPoint(x, y)
      .find((one) => one instanceof HTMLElement && one.dataset['owner'] !== undefined && twin.current?.contains(one))
      ?.getAttribute('data-owner') ?? undefined;
  return (
    <div ref={frame} className="editor">
      <div className={isLong ? 'sheet unmarked' : 'sheet'}>
        <div ref={twin} className="twin" aria-hidden="true">
          {!isLong && <Marks text={text} length={length} spans={spans} active={active} />}
          {/* A last line without a character would have no height. */}
          {'\u200b'}
        </div>
        <textarea
          className="typed"
          aria-label="Text of a model"
          aria-describedby={describedBy}
          value={text}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={(event) => {
            onPoint(undefined);
            onChange(event.target.value);
          }}
          onPointerMove={(event) => onPoint(spanAt(event.clientX, event.clientY))}
          onPointerLeave={() => onPoint(undefined)}
          onClick={(event) => onPick(spanAt(event.clientX, event.clientY))}
        />
      </div>
      {explained !== undefined && <MarkNote sheet={twin} frame={frame} {...explained} />}
    </div>
  );
}

interface MarksProps {
  readonly text: string;
  readonly length: number;
  readonly spans: readonly Span[];
  readonly active: ReadonlySet<string>;
}

const Marks = memo(function Marks({ text, length, spans, active }: MarksProps) {
  const segments = useMemo(() => cutIntoSegments(length, spans.slice(0, maxSpans)), [length, spans]);
  return (
    <>
      {segments.map(({ start, end, spans: over }) => {
        const written = text.slice(start, end);
        const owner = over.at(-1)?.id;
        const key = `${start} ${end}`;
        if (owner === undefined) return <span key={key}>{written}</span>;
        const highlight = active.has(owner) ? ' active' : over.some(({ id }) => active.has(id)) ? ' within' : '';
        return (
          <mark
            key={key}
            data-owner={owner}
            className={`${over.map(({ look }) => look).join(' ')}${shapeOf(written)}${highlight}`}
          >
            {written}
          </mark>
        );
      })}
      {length < text.length && <span className="to-come">{text.slice(length)}</span>}
    </>
  );
});

/** A span without width needs a shape to be visible. */
function shapeOf(written: string): string {
  if (written === '') return ' point';
  return written === '\n' ? ' break' : '';
}
