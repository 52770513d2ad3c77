/**
 * Writes a Markdown table. The first column is aligned to the left, the others to the right unless they contain text.
 */
export function markdownTable(
  heads: readonly string[],
  lines: readonly (readonly (string | number)[])[],
  { isText = false }: { readonly isText?: boolean } = {},
): string {
  const separator = heads.map((_, index) => (isText || index === 0 ? '---' : '---:')).join('|');
  const write = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [write(heads).replace(/^\|  \|/, '| |'), `|${separator}|`, ...lines.map(write)].join('\n');
}
