import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { isRecord } from '@haft/core/options';
import { computeFileDiff } from '@haft/sandbox';
import type { ApprovalView } from '../contract/page-data.ts';

/** The change of a file that a waiting call would make. */
export interface ChangePreview {
  readonly path: string;
  readonly patch: string;
}

const maxBytes = 500_000;

/**
 * Predicts the change that a waiting call would make, from its arguments and the file as it is now. Returns undefined
 * for calls other than writing or editing one text file.
 */
export async function previewChange({
  writes,
  cwd,
  arguments: text,
}: ApprovalView): Promise<ChangePreview | undefined> {
  const [path, ...others] = writes;
  if (path === undefined || others.length > 0 || path.endsWith('/')) return undefined;
  const args = parse(text);
  if (!isRecord(args)) return undefined;
  const before = await readCurrent(path);
  if (before === undefined) return undefined;
  const after = changed(before, args);
  if (after === undefined) return undefined;
  const shown = relative(cwd, path);
  const name = cwd === '' || shown.startsWith('..') || isAbsolute(shown) ? path : shown;
  const { patch } = computeFileDiff({ path: name, before, after });
  return { path: name, patch };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the text of a file, null if it does not exist, or undefined if it can't be shown. */
async function readCurrent(path: string): Promise<string | null | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > maxBytes) return undefined;
    const text = await readFile(path, 'utf8');
    return text.includes('\0') ? undefined : text;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined;
  }
}

function changed(before: string | null, args: Readonly<Record<string, unknown>>): string | undefined {
  const { content, old_text: old, new_text: replacement, replace_all: isAll } = args;
  if (typeof content === 'string') return content;
  if (typeof old !== 'string' || typeof replacement !== 'string' || before === null || old === '') return undefined;
  const parts = before.split(old);
  // An edit that matches elsewhere or several times is left to the tool.
  if (parts.length < 2 || (parts.length > 2 && isAll !== true)) return undefined;
  return parts.join(replacement);
}
