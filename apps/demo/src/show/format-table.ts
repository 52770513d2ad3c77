import { stripVTControlCharacters } from 'node:util';
import type { Paint } from './paint.ts';

/** One column: its title, which side its cells stand on, and whether it gives way when the table is too wide. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly shrinks?: boolean;
}

/** Lays out a table of plain or coloured cells so that it fits a width; the columns that may shrink share the loss. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  width: number,
): readonly string[] {
  const natural = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => visibleWidth(row[index] ?? ''))),
  );
  const widths = shrink(natural, columns, width - gap.length * (columns.length - 1));
  const format = (cells: readonly string[]): string =>
    columns
      .map((column, index) => fit(cells[index] ?? '', widths[index]!, column.align ?? 'left'))
      .join(gap)
      .trimEnd();
  return [
    paint('strong', format(columns.map((column) => column.title))),
    paint('quiet', widths.map((each) => '─'.repeat(each)).join(gap)),
    ...rows.map(format),
  ];
}

const gap = '  ';
const narrowest = 8;

function shrink(natural: readonly number[], columns: readonly Column[], width: number): readonly number[] {
  const widths = [...natural];
  for (let excess = sum(widths) - width; excess > 0; excess -= 1) {
    const widest = widths.reduce((best, each, index) => {
      const mayShrink = columns[index]!.shrinks === true && each > narrowest;
      return mayShrink && (best < 0 || each > widths[best]!) ? index : best;
    }, -1);
    if (widest < 0) break;
    widths[widest]! -= 1;
  }
  return widths;
}

function fit(cell: string, width: number, align: 'left' | 'right'): string {
  const missing = width - visibleWidth(cell);
  if (missing < 0)
    return `${Array.from(stripVTControlCharacters(cell))
      .slice(0, width - 1)
      .join('')}…`;
  return align === 'left' ? cell + ' '.repeat(missing) : ' '.repeat(missing) + cell;
}

function visibleWidth(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
