/**
 * Reads the YAML front matter of a Markdown file.
 *
 * @packageDocumentation
 */
import { isMap, LineCounter, parseDocument, type Document } from 'yaml';

/** The front matter of a text and its body. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Returns the line number of a field in the file. */
  lineOf(field: string): number;
  readonly body: string;
  /** The line number in the file at which the body begins. */
  readonly bodyLine: number;
}

/** An issue in front matter. */
export interface FrontMatterIssue {
  /** The line number in the file. */
  readonly line: number;
  readonly message: string;
}

/**
 * Reads the YAML front matter of a Markdown text, at most `maxLength` characters, or returns issues. Returns undefined if
 * the first line is not `---`.
 *
 * @example
 * import { readFrontMatter } from '@haft/builtins/front-matter';
 * const read = readFrontMatter('---\nname: notes\n---\n\nText', 10_000);
 * read !== undefined && 'fields' in read && read.fields; // => { name: 'notes' }
 */
export function readFrontMatter(
  text: string,
  maxLength: number,
): FrontMatter | readonly FrontMatterIssue[] | undefined {
  const opened = /^---[ \t]*\r?\n/.exec(text);
  if (!opened) return undefined;
  const start = opened[0].length;
  const closed = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(text.slice(start, start + maxLength));
  if (!closed) return [{ line: 1, message: 'the closing --- line of the front matter is missing' }];
  const source = text.slice(start, start + closed.index);
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  // The opening `---` line counts too.
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1;
  if (document.errors.length > 0)
    return document.errors.map(({ pos, message }) => ({
      line: lineAt(pos[0]),
      message: `the front matter is not YAML: ${message.slice(0, 200)}`,
    }));
  const fields = readFields(document);
  if (typeof fields === 'string') return [{ line: 2, message: fields }];
  const end = start + closed.index + closed[0].length;
  return {
    fields,
    lineOf: (field) => {
      const pair = isMap(document.contents)
        ? document.contents.items.find(({ key }) => String(key) === field)
        : undefined;
      const range = (pair?.key as { readonly range?: readonly number[] } | undefined)?.range;
      return range?.[0] === undefined ? 1 : lineAt(range[0]);
    },
    body: text.slice(end),
    bodyLine: text.slice(0, end).split('\n').length,
  };
}

function readFields(document: Document): Readonly<Record<string, unknown>> | string {
  try {
    // YAML aliases can expand a small text into a huge value, so they are disabled.
    const fields: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return fields as Readonly<Record<string, unknown>>;
    return 'the front matter has no fields (expected fields such as "name: summarize")';
  } catch {
    return 'the front matter contains references (& and *), which are not supported';
  }
}
