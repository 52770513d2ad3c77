/** A range of the text with an annotation. Offsets in UTF-16 units; both are equal for an insertion point. */
export interface Span {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** CSS classes. */
  readonly look: string;
}

/** A range of text with the same annotations throughout. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  /** Wider spans before narrower ones. */
  readonly spans: readonly Span[];
}

/** Splits a text of this length at every start and end of a span. Spans may overlap, and must be inside the text. */
export function cutIntoSegments(length: number, spans: readonly Span[]): readonly Segment[] {
  const inside = spans
    .map((span) => ({ ...span, start: clamp(span.start, length), end: clamp(span.end, length) }))
    .filter((span) => span.start <= span.end)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const places = [...new Set([0, length, ...inside.flatMap((span) => [span.start, span.end])])].sort((a, b) => a - b);
  const segments: Segment[] = [];
  let open: Span[] = [];
  let next = 0;
  for (const [index, start] of places.entries()) {
    open = open.filter((span) => span.end > start);
    const points: Span[] = [];
    for (let span = inside[next]; span && span.start === start; span = inside[next]) {
      (span.end === start ? points : open).push(span);
      next += 1;
    }
    if (points.length > 0) segments.push({ start, end: start, spans: points });
    const end = places[index + 1];
    if (end !== undefined) segments.push({ start, end, spans: [...open] });
  }
  return segments;
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(offset, 0), length);
}
