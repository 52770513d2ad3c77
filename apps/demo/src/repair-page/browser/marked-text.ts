import { element } from './element.ts';
import { cutIntoSegments, type Span } from './segments.ts';

/** A copy of the text area behind it, which shows the marks. */
export interface MarkedText {
  /** Shows a text without marks, immediately. */
  showPlain(text: string): void;
  show(text: string, spans: readonly Span[]): void;
  /** Highlights these spans and no others. */
  emphasize(ids: ReadonlySet<string>): void;
  scrollTo(id: string): void;
  /** The narrowest span at a point of the window. */
  spanAt(x: number, y: number): string | undefined;
}

/** Maximum length of a marked text: beyond it, laying out the text twice would slow down typing. */
export const maxMarkedLength = 200_000;

/** Maximum number of marked spans. */
const maxSpans = 2_000;

/**
 * Creates the marks of a text area. Both are inside `sheet`; the copy determines its height, so that only one element
 * scrolls.
 */
export function createMarkedText(sheet: HTMLElement, twin: HTMLElement): MarkedText {
  const marks = new Map<string, HTMLElement[]>();
  const owners = new WeakMap<Element, string>();

  const fill = (text: string, nodes: readonly (Node | string)[]): void => {
    const isLong = text.length > maxMarkedLength;
    sheet.classList.toggle('unmarked', isLong);
    marks.clear();
    // A last line without a character would have no height.
    twin.replaceChildren(...(isLong ? [] : nodes), '\u200b');
  };
  return {
    showPlain: (text) => fill(text, [text]),
    show: (text, spans) => {
      if (text.length > maxMarkedLength) return fill(text, []);
      const nodes: (Node | string)[] = [];
      const found = new Map<string, HTMLElement[]>();
      for (const segment of cutIntoSegments(text.length, spans.slice(0, maxSpans))) {
        const written = text.slice(segment.start, segment.end);
        const narrowest = segment.spans.at(-1);
        if (!narrowest) {
          nodes.push(written);
          continue;
        }
        const looks = segment.spans.map((span) => span.look).join(' ');
        const mark = element('mark', { class: `${looks}${shapeOf(written)}` }, written);
        owners.set(mark, narrowest.id);
        for (const { id } of segment.spans) {
          const list = found.get(id);
          if (list) list.push(mark);
          else found.set(id, [mark]);
        }
        nodes.push(mark);
      }
      fill(text, nodes);
      for (const [id, list] of found) marks.set(id, list);
    },
    emphasize: (ids) => {
      for (const list of marks.values()) for (const mark of list) mark.classList.remove('active', 'within');
      for (const id of ids) {
        for (const mark of marks.get(id) ?? []) mark.classList.add(owners.get(mark) === id ? 'active' : 'within');
      }
    },
    scrollTo: (id) => marks.get(id)?.[0]?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    spanAt: (x, y) => {
      for (const one of document.elementsFromPoint(x, y)) {
        const owner = owners.get(one);
        if (owner !== undefined) return owner;
      }
      return undefined;
    },
  };
}

/** A span without width needs a shape to be visible. */
function shapeOf(written: string): string {
  if (written === '') return ' point';
  return written === '\n' ? ' break' : '';
}
