import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describeCause } from '@haft/core/results';
import { ToolkitError } from '../toolkit-error.ts';
import type { MarkdownPrompt } from './build-prompt.ts';
import { readPrompt } from './read-prompt.ts';

/**
 * Loads the prompts of a Markdown file, or of every `*.md` file directly in a directory, sorted by name.
 *
 * @throws ToolkitError `BAD_PARAMETER` if the path cannot be read, `INVALID_PROMPT` if a prompt is invalid (the promise
 * rejects).
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { loadPrompts } from '@haft/toolkit';
 * const directory = await mkdtemp(join(tmpdir(), 'prompts-'));
 * await writeFile(join(directory, 'greet.md'), 'Greet the user.\n');
 * (await loadPrompts(directory)).map(({ name }) => name); // => ['greet']
 */
export async function loadPrompts(path: string, cwd: string = process.cwd()): Promise<readonly MarkdownPrompt[]> {
  const place = resolve(cwd, path);
  try {
    const isFolder = (await stat(place)).isDirectory();
    const names = isFolder ? (await readdir(place)).filter((name) => /^[^._].*\.md$/i.test(name)).sort() : [];
    const files = isFolder ? names.map((name) => join(place, name)) : [place];
    return await Promise.all(files.map(async (file) => readPrompt(await readFile(file), { file: basename(file) })));
  } catch (cause) {
    if (cause instanceof ToolkitError) throw cause;
    if (looksWritten(path))
      throw new ToolkitError(
        'BAD_PARAMETER',
        'a string in prompts must be the path of a Markdown file or of a folder of them; for inline prompts use definePrompt({ name, template }) or readPrompt(markdown)',
        { cause },
      );
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ToolkitError(
        'BAD_PARAMETER',
        `${place} does not exist; pass the path of a Markdown file or a folder, or use definePrompt({ name, template })`,
        { cause },
      );
    throw new ToolkitError('BAD_PARAMETER', `the prompts of ${path} are not readable: ${describeCause(cause)}`, {
      cause,
    });
  }
}

/** Checks whether a path looks like the text of a prompt. */
function looksWritten(path: string): boolean {
  return /\n|\{\{/.test(path) || (/\s\S+\s/.test(path) && !/[\\/]|\.md$/i.test(path));
}
