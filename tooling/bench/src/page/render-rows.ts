import type { MeasuredRow } from '../harness/row.ts';

/** Rows as a table for a terminal: one block a row, each contender with its value and its ratio to Haft. */
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

/** Rows as Markdown tables, one a row. */
export function renderMarkdown(rows: readonly MeasuredRow[]): string {
  return rows
    .map((row) => {
      const lines = [['**Haft**', row.haft] as const, ...Object.entries(row.peers)];
      return [
        `**${row.what}**; bar: ${row.bar}: ${row.holds ? 'holds' : 'missed'}`,
        '',
        `| | ${row.unit} | to Haft |`,
        '|---|---:|---:|',
        ...lines.map(([name, value]) => `| ${name} | ${formatNumber(value)} | ${ratioOf(row, name)} |`),
      ].join('\n');
    })
    .join('\n\n');
}

function ratioOf(row: MeasuredRow, name: string): string {
  const ratio = row.ratios[name];
  return ratio === undefined ? '' : `${formatNumber(ratio)} ×`;
}

/** Three significant digits, thousands apart: `12 300`, `4.56`, `0.012`. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) < 1_000) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
}
