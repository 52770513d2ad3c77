import type { MeasuredRow } from '@haft-tooling/measure';

import { formatNumber } from './compare.ts';
import { markdownTable } from './markdown-table.ts';

/** Formats rows as a table for a terminal: one block per row, each contender with its value and its ratio to Haft. */
export function renderTable(rows: readonly MeasuredRow[]): string {
  return rows
    .map((row) => {
      const lines = [['Haft', row.haft] as const, ...Object.entries(row.peers)];
      const width = Math.max(...lines.map(([name]) => name.length));
      const values = lines.map(([name, value]) => {
        return `  ${name.padEnd(width)}  ${formatNumber(value).padStart(10)}  ${ratioOf(row, name).padStart(10)}`;
      });
      return [`${row.what} (${row.unit})`, ...values, `  bar: ${row.bar}: ${row.holds ? 'holds' : 'MISSED'}`].join(
        '\n',
      );
    })
    .join('\n\n');
}

/** Formats rows as Markdown tables, one per row. */
export function renderMarkdown(rows: readonly MeasuredRow[]): string {
  return rows
    .map((row) => {
      const lines = [['**Haft**', row.haft] as const, ...Object.entries(row.peers)];
      return [
        `**${row.what}**; bar: ${row.bar}: ${row.holds ? 'holds' : 'missed'}`,
        '',
        markdownTable(
          ['', row.unit, 'to Haft'],
          lines.map(([name, value]) => [name, formatNumber(value), ratioOf(row, name)]),
        ),
      ].join('\n');
    })
    .join('\n\n');
}

function ratioOf(row: MeasuredRow, name: string): string {
  const ratio = row.ratios[name];
  return ratio === undefined ? '' : `${formatNumber(ratio)} ×`;
}
