import { decodeText } from '../resources/decode-text.ts';
import { ToolkitError, type PromptIssue } from '../toolkit-error.ts';
import { buildPrompt, type MarkdownPrompt } from './build-prompt.ts';
import { readFrontMatter } from './read-front-matter.ts';

/** What {@link readPrompt} takes besides the text. */
export interface ReadPromptOptions {
  /** What the text comes from: named in errors, and the prompt's name where the text has none. */
  readonly file?: string;
}

/**
 * Reads a prompt from Markdown: fields in YAML between lines of `---`, and a template. Bytes may be UTF-8 or UTF-16, lines end
 * as they like.
 *
 * @throws ToolkitError `INVALID_PROMPT`, with every issue and its line in `issues`; `BAD_PARAMETER` for what is no Markdown, such
 *   as a path.
 */
export function readPrompt(source: string | Uint8Array, { file = '' }: ReadPromptOptions = {}): MarkdownPrompt {
  checkSource(source);
  const decoded = typeof source === 'string' ? source : decodeText(source);
  if (decoded === undefined) throw refusal([{ line: 1, message: 'it is no text' }], file);
  const text = decoded.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const matter = readFrontMatter(text);
  if (!('fields' in matter)) throw refusal(matter, file);
  const built = buildPrompt({ ...matter, fallbackName: nameOf(file) });
  if ('render' in built) return built;
  throw refusal(built, file);
}

function checkSource(source: unknown): void {
  const isPath = typeof source === 'string' && /^[^\n{]+\.md$/i.test(source.trim());
  if (!isPath && (typeof source === 'string' || source instanceof Uint8Array)) return;
  throw new ToolkitError(
    'BAD_PARAMETER',
    'readPrompt: expected Markdown as text or bytes, not the path of a file: for that use await loadPrompts(path)',
  );
}

/** The name of a file without its folders and its last extension. */
function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? '').replace(/\.[^.]*$/, '');
}

/** All issues as one error. */
function refusal(issues: readonly PromptIssue[], file: string): ToolkitError {
  const lines = issues.map(
    ({ line, column, message }) =>
      `${file === '' ? 'line ' : `${file}:`}${line}${column === undefined ? '' : `:${column}`}: ${message}`,
  );
  return new ToolkitError('INVALID_PROMPT', `the prompt can't be used: ${lines.join('; ')}`, { issues });
}
