/** A row of a Markdown table, with the heading above it. */
export interface TableRow {
  readonly line: number;
  /** The nearest heading above, without its marks; and those above that one, outermost first. */
  readonly headings: readonly string[];
  /** The cells by the title of their column. */
  readonly cells: Readonly<Record<string, string>>;
}

/** Reads every table of a Markdown text. Throws if a row has more or fewer cells than its header. */
export function readTables(markdown: string): readonly TableRow[] {
  const rows: TableRow[] = [];
  const headings: string[] = [];
  let columns: readonly string[] | undefined;
  const lines = markdown.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, marks, title] = /^(#{1,6}) (.+)$/.exec(line) ?? [];
    if (marks !== undefined && title !== undefined) headings.splice(marks.length - 1, headings.length, title.trim());
    if (!line.startsWith('|')) {
      columns = undefined;
    } else if (columns === undefined) {
      columns = splitRow(line);
    } else if (!/^\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line)) {
      const cells = splitRow(line);
      if (cells.length !== columns.length) {
        throw new Error(`line ${index + 1} has ${cells.length} cells under ${columns.length} columns`);
      }
      rows.push({
        line: index + 1,
        headings: [...headings],
        cells: Object.fromEntries(columns.map((column, position) => [column, cells[position] ?? ''])),
      });
    }
  }
  return rows;
}

function splitRow(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Returns the inline code in a piece of Markdown: `` `a` and `b` `` → `a`, `b`. */
export function codeWords(markdown: string): readonly string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}
