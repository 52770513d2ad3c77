import { useLayoutEffect, useState, type CSSProperties, type RefObject } from 'react';
import { visible } from '../data/visible.ts';
import type { Explanation } from './model/explain-span.ts';

interface MarkNoteProps {
  /** The element that holds the marks. */
  readonly sheet: RefObject<HTMLElement | null>;
  /** The element that scrolls the marks. */
  readonly frame: RefObject<HTMLElement | null>;
  /** ID of the explained span. */
  readonly id: string;
  readonly explanation: Explanation;
}

/** An explanation beside a mark of the text. Hidden while the mark is out of sight. */
export function MarkNote({ sheet, frame, id, explanation }: MarkNoteProps) {
  const [place, setPlace] = useState<CSSProperties>();
  useLayoutEffect(() => {
    const update = (): void => setPlace(placeBeside(sheet.current, frame.current, id));
    update();
    addEventListener('scroll', update, true);
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update, true);
      removeEventListener('resize', update);
    };
  }, [sheet, frame, id, explanation]);
  if (place === undefined) return null;
  return (
    <div className="mark-note" style={place} aria-hidden="true">
      <strong>{visible(explanation.title)}</strong>
      <span>{visible(explanation.why)}</span>
    </div>
  );
}

const gap = 6;
const maxWidth = 400;

function placeBeside(sheet: HTMLElement | null, frame: HTMLElement | null, id: string): CSSProperties | undefined {
  const boxes = [...(sheet?.querySelectorAll(`[data-owner="${CSS.escape(id)}"]`) ?? [])].flatMap((mark) => [
    ...mark.getClientRects(),
  ]);
  const { top = 0, bottom = 0 } = frame?.getBoundingClientRect() ?? {};
  const inSight = boxes.filter((box) => box.bottom > top && box.top < bottom);
  const [first] = inSight;
  const last = inSight.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const left = Math.max(gap, Math.min(last.left, innerWidth - maxWidth - gap));
  // Above the mark in the lower part of the window, so that the note is never cut.
  return last.bottom > innerHeight * 0.66
    ? { left, bottom: innerHeight - first.top + gap, maxWidth }
    : { left, top: last.bottom + gap, maxWidth };
}
