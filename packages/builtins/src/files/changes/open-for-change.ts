import type { ToolContext, ToolError } from '@haft/core';
import { changedOnDisk } from './changed-on-disk.ts';
import { type FilePlace } from '../file-errors.ts';
import { suggestPaths } from '../find-similar-paths.ts';
import type { ReadRecord, ReadTracker } from '../read-tracker.ts';
import { readTextFile, type TextFile } from '../text-file.ts';

/** A file to change, and the content that the session last saw: the current content, or none. */
export interface OpenedFile {
  readonly ok: true;
  readonly file: TextFile;
  readonly seen: ReadRecord | undefined;
}

/** Why a file cannot be changed. */
export interface UnchangeableFile {
  readonly ok: false;
  readonly error: ToolError;
}

/**
 * Reads a text file that is about to be changed. Returns `CHANGED_ON_DISK`, with a diff, if the content differs from
 * what the session saw.
 */
export async function openForChange(
  place: FilePlace,
  context: ToolContext,
  readTracker: ReadTracker,
): Promise<OpenedFile | UnchangeableFile> {
  const { shown } = place;
  const file = await readTextFile(place, 'write');
  if (!file.ok) {
    const { error } = file;
    return { ok: false, error: error.code === 'NOT_FOUND' ? await suggest(error, place) : error };
  }
  const seen = readTracker.get(context.sessionId, file.path);
  if (seen && seen.hash !== file.hash) return { ok: false, error: changedOnDisk(shown, seen, file.text) };
  return { ok: true, file, seen };
}

async function suggest(error: ToolError, { workspace, path }: FilePlace): Promise<ToolError> {
  const suggested = await suggestPaths({ ...error, hint: '' }, workspace, path);
  return { ...suggested, hint: `${suggested.hint ?? ''} To make a new file use write.`.trim() };
}
