import { readFrontMatter } from '@haft/builtins/front-matter';
import { decodeText } from '../resources/decode-text.ts';
import { ToolkitError, type PromptIssue } from '../toolkit-error.ts';
import { buildPrompt, type MarkdownPrompt } from './build-prompt.ts';

/** Maximum length of front matter, in characters. */
const maxFrontMatter = 65_536;

/** Options of {@link readPrompt}. */
export interface ReadPromptOptions {
  /** The source file, used in errors and as the default name of the prompt. */
  readonly file?: string;
}

/**
 * Parses a prompt from Markdown: YAML front matter between `---` lines, and a template. Bytes may be UTF-8 or UTF-16,
 * with any line endings.
 *
 * @throws ToolkitError `INVALID_PROMPT`, with all issues and their line numbers in `issues`; `BAD_PARAMETER` if the
 * source is not
 *   Markdown, such as a path.
 */
export function readPrompt(source: string | Uint8Array, { file = '' }: ReadPromptOptions = {}): MarkdownPrompt {
  checkSource(source);
  const decoded = typeof source === 'string' ? source : decodeText(source);
  if (decoded === undefined) throw refusal([{ line: 1, message: 'it is not text' }], file);
  const text = decoded.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const matter = readFrontMatter(text, maxFrontMatter) ?? { fields: {}, lineOf: () => 1, body: text, bodyLine: 1 };
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
    'readPrompt: the source must be Markdown as a string or bytes; for a path use await loadPrompts(path)',
  );
}

/** Returns the file name without directories and without the last extension. */
function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? '').replace(/\.[^.]*$/, '');
}

/** Combines all issues into one error. */
function refusal(issues: readonly PromptIssue[], file: string): ToolkitError {
  const lines = issues.map(
    ({ line, column, message }) =>
      `${file === '' ? 'line ' : `${file}:`}${line}${column === undefined ? '' : `:${column}`}: ${message}`,
  );
  return new ToolkitError('INVALID_PROMPT', `the prompt is not valid: ${lines.join('; ')}`, { issues });
}
