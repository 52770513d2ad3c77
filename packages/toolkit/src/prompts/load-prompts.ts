import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describeCause } from '@haft/core/results';
import { ToolkitError } from '../toolkit-error.ts';
import type { MarkdownPrompt } from './build-prompt.ts';
import { readPrompt } from './read-prompt.ts';

/**
 * Loads the prompts of a Markdown file, or of every `*.md` file directly in a directory, sorted by name.
 * @throws ToolkitError `BAD_PARAMETER` if the path cannot be read, `INVALID_PROMPT` if a prompt is invalid (the promise
 * rejects).
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
        'a text among prompts is the path of a Markdown file or of a folder of them; for a prompt that is written in the program use definePrompt({ name, template }), or readPrompt(markdown)',
        { cause },
      );
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ToolkitError(
        'BAD_PARAMETER',
        `there is no file and no folder ${place} to read prompts from; use the path of a Markdown file, or definePrompt({ name, template })`,
        { cause },
      );
    throw new ToolkitError('BAD_PARAMETER', `the prompts of ${path} can't be read: ${describeCause(cause)}`, { cause });
  }
}

/** Checks whether a path looks like the text of a prompt. */
function looksWritten(path: string): boolean {
  return /\n|\{\{/.test(path) || (/\s\S+\s/.test(path) && !/[\\/]|\.md$/i.test(path));
}
