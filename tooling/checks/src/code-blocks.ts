/** A fenced block of a Markdown file. */
export interface CodeBlock {
  /** The first word after the fence: `ts`. */
  readonly language: string;
  /** The rest of that line: `no-run: needs a key`. */
  readonly note: string;
  readonly code: string;
  /** The line of the opening fence, counted from 1. */
  readonly line: number;
}

/** Lists the fenced blocks of a Markdown text. Throws if a fence is never closed. */
export function listCodeBlocks(markdown: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open:
    | { readonly fence: string; readonly info: string; readonly line: number; readonly code: string[] }
    | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, fence, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence !== undefined) open = { fence, info: info.trim(), line: index + 1, code: [] };
    } else if (fence !== undefined && fence.startsWith(open.fence) && info.trim() === '') {
      const [language = '', ...note] = open.info.split(/\s+/);
      blocks.push({ language, note: note.join(' '), code: `${open.code.join('\n')}\n`, line: open.line });
      open = undefined;
    } else {
      open.code.push(line);
    }
  }
  if (open !== undefined) throw new Error(`the fence of line ${open.line} is never closed`);
  return blocks;
}
