import type { Paint } from './paint.ts';
import { cutToWidth, visibleWidth, widestPart, wrapLine } from './wrap-line.ts';

/** A column: its title, alignment, and whether it shrinks if the table is too wide. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly shrinks?: boolean;
  /** Whether long cells wrap instead of being cut. */
  readonly wraps?: boolean;
  /** Minimum width. Default 8. */
  readonly minimum?: number;
}

/**
 * Lays out a table of plain or coloured cells within a width. If it is too wide, the shrinkable columns share the cut.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  width: number,
): readonly string[] {
  const natural = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => visibleWidth(row[index] ?? ''))),
  );
  const room = width - gap.length * (columns.length - 1);
  // Columns become narrower than their words only as a last resort.
  const wordWide = columns.map((column, index) => {
    const { title, wraps, minimum = narrowest } = column;
    const cells = [title, ...rows.map((row) => row[index] ?? '')];
    return wraps ? { ...column, minimum: Math.max(minimum, ...cells.map(widestPart)) } : column;
  });
  const whole = shrink(natural, wordWide, room);
  const widths = sum(whole) <= room ? whole : shrink(natural, columns, room);
  const format = (cells: readonly string[]): readonly string[] => {
    const blocks = columns.map(({ wraps, align }, index) => {
      const cell = cells[index] ?? '';
      const width = widths[index]!;
      return (wraps ? wrapLine(cell, width) : [cell]).map((line) => fit(line, width, align ?? 'left'));
    });
    const height = Math.max(...blocks.map((block) => block.length));
    return Array.from({ length: height }, (_, row) =>
      blocks
        .map((block, index) => block[row] ?? ' '.repeat(widths[index]!))
        .join(gap)
        .trimEnd(),
    );
  };
  return [
    ...format(columns.map((column) => column.title)).map((line) => paint('strong', line)),
    paint('quiet', widths.map((each) => '─'.repeat(each)).join(gap)),
    ...rows.flatMap(format),
  ];
}

const gap = '  ';
const narrowest = 8;

function shrink(natural: readonly number[], columns: readonly Column[], width: number): readonly number[] {
  const widths = [...natural];
  for (let excess = sum(widths) - width; excess > 0; excess -= 1) {
    const widest = widths.reduce((best, each, index) => {
      const { shrinks, minimum = narrowest } = columns[index]!;
      const mayShrink = shrinks === true && each > minimum;
      return mayShrink && (best < 0 || each > widths[best]!) ? index : best;
    }, -1);
    if (widest < 0) break;
    widths[widest]! -= 1;
  }
  return widths;
}

function fit(cell: string, width: number, align: 'left' | 'right'): string {
  const missing = width - visibleWidth(cell);
  // The cut text may have contained the end of a colour.
  if (missing < 0) return `${cutToWidth(cell, width - 1)}…${cell.includes('\u001b') ? '\u001b[0m' : ''}`;
  return align === 'left' ? cell + ' '.repeat(missing) : ' '.repeat(missing) + cell;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
