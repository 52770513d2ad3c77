import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describeCause } from '@haft/core';
import { ToolkitError } from '../toolkit-error.ts';
import type { MarkdownPrompt } from './build-prompt.ts';
import { readPrompt } from './read-prompt.ts';

/**
 * Reads the prompts of a Markdown file, or of every `*.md` directly in a folder, by name.
 * @throws ToolkitError `BAD_PARAMETER` for a path that can't be read, `INVALID_PROMPT` for what is no prompt (the promise rejects).
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
    throw new ToolkitError('BAD_PARAMETER', `the prompts of ${path} can't be read: ${describeCause(cause)}`, { cause });
  }
}
