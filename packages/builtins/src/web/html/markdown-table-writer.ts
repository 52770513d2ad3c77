/** Collects the cells of one table. */
export interface TableWriter {
  startRow(): void;
  addCell(text: string, isHead: boolean, columns: number): void;
  /** Returns a Markdown table, or plain paragraphs for a layout table and for a table with one column. */
  render(): readonly string[];
}

const maxColumns = 60;
/** Maximum length of a cell, in characters. A longer cell contains a part of a page, not a value. */
const maxCellLength = 1_500;

/** Creates a table without rows. */
export function createTableWriter(): TableWriter {
  const rows: { readonly cells: string[]; isHead: boolean }[] = [];
  let isLayout = false;
  return {
    startRow: () => void rows.push({ cells: [], isHead: true }),
    addCell(text, isHead, columns) {
      if (rows.length === 0) rows.push({ cells: [], isHead: true });
      const row = rows.at(-1)!;
      if (row.cells.length >= maxColumns) return;
      if (text.length > maxCellLength) isLayout = true;
      if (!isHead) row.isHead = false;
      row.cells.push(text);
      const more = Math.min(columns, maxColumns - row.cells.length + 1) - 1;
      for (let index = 0; index < more; index += 1) row.cells.push('');
    },
    render() {
      const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
      const width = filled.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
      const used = filled.reduce((most, { cells }) => Math.max(most, cells.filter((cell) => cell !== '').length), 0);
      if (isLayout || used < 2) return filled.flatMap(({ cells }) => cells.filter((cell) => cell !== ''));
      const show = (cells: readonly string[]): string =>
        `| ${Array.from({ length: width }, (_, index) => showCell(cells[index] ?? '')).join(' | ')} |`;
      const [first, ...rest] = filled;
      const head = first!.isHead ? first!.cells : [];
      const body = first!.isHead ? rest : filled;
      const rule = `|${' --- |'.repeat(width)}`;
      return [[show(head), rule, ...body.map(({ cells }) => show(cells))].join('\n')];
    },
  };
}

function showCell(text: string): string {
  return text.replace(/\n+/g, '<br>').replaceAll('|', '\\|');
}
