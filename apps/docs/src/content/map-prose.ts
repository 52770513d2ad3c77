/**
 * Passes the prose of a Markdown text through a function and keeps its code: fenced blocks, and code inside a line. The
 * function gets whole lines, with a placeholder for each code span.
 */
export function mapProse(markdown: string, change: (prose: string) => string): string {
  const result: string[] = [];
  let prose: string[] = [];
  let fence: string | undefined;
  const flush = (): void => {
    if (prose.length > 0) result.push(aroundCode(prose.join('\n'), change));
    prose = [];
  };
  for (const line of markdown.split('\n')) {
    const [, opened] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined && opened !== undefined) {
      flush();
      fence = opened;
      result.push(line);
    } else if (fence !== undefined) {
      result.push(line);
      if (opened?.startsWith(fence) && line.trim() === opened) fence = undefined;
    } else {
      prose.push(line);
    }
  }
  flush();
  return result.join('\n');
}

/** Replaces each code span with a character that does not occur in text, to protect it from changes. */
function aroundCode(prose: string, change: (prose: string) => string): string {
  const code: string[] = [];
  const hidden = prose.replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (found) => {
    if (/\n\s*\n/.test(found)) return found;
    code.push(found);
    return `\u{F0000}${code.length - 1}\u{F0001}`;
  });
  return change(hidden).replaceAll(/\u{F0000}(\d+)\u{F0001}/gu, (_, index: string) => code[Number(index)] ?? '');
}
