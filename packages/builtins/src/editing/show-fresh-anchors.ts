import { cutLine, lineNumbersAt, splitLines } from '../files/text-lines.ts';
import { showAnchored } from './anchors/line-anchor.ts';
import type { EditPlan } from './plan-edits.ts';

const maxLines = 80;
const margin = 1;
const maxShownLength = 300;

/** Shows the lines that were written, with their new anchors, so that the next edit needs no new `read`. */
export function showFreshAnchors(before: string, { after, located }: EditPlan): string {
  const lines = splitLines(after);
  const spans = located.flatMap((one) => one.spans).toSorted((a, b) => a.start - b.start);
  const edges: number[] = [];
  let moved = 0;
  for (const { start, end, replacement } of spans) {
    edges.push(start + moved, start + moved + replacement.length);
    moved += replacement.length - (end - start);
  }
  const numbers = lineNumbersAt(after, edges);
  const wanted = new Set<number>();
  for (let index = 0; index < numbers.length; index += 2)
    for (let line = numbers[index]! - margin; line <= numbers[index + 1]! + margin; line += 1)
      if (line >= 1 && line <= lines.length) wanted.add(line);
  const shown = [...wanted].slice(0, maxLines).map((line) => {
    const { text } = lines[line - 1]!;
    return showAnchored(line, text, 4, cutLine(text, maxShownLength));
  });
  const missing = wanted.size - shown.length;
  const rest = missing > 0 ? [`[… ${missing} more lines; read them with hash_len]`] : [];
  const kept =
    lines.length === splitLines(before).length
      ? 'The others are as they were.'
      : 'Lines below keep their hashes under new numbers.';
  return ['New anchors:', ...shown, ...rest, kept].join('\n');
}
