import { toolError, type ToolError } from '@haft/core';
import { statConfined, type EntryKind } from '@haft/sandbox';
import { toFileError, type FilePlace } from '../../files/file-errors.ts';
import { suggestPaths } from '../../files/find-similar-paths.ts';

/** Where a search begins. */
export interface SearchStart {
  readonly ok: true;
  /** Real absolute path. */
  readonly path: string;
  /** As models read it. */
  readonly shown: string;
  readonly kind: EntryKind;
  readonly size: number;
}

/** Why a search can't begin there. */
export interface SearchStartFailure {
  readonly ok: false;
  readonly error: ToolError;
}

/** Finds the folder or file a search is to begin at. */
export async function findStart(place: FilePlace): Promise<SearchStart | SearchStartFailure> {
  const { workspace, path, shown } = place;
  const status = await statConfined(workspace.readRoots, path, place);
  // A working directory that is a file was not chosen by the model.
  if (status.ok && status.kind !== 'directory' && shown === '.') {
    const notDirectory = { ok: false, code: 'NOT_DIRECTORY', message: '', hint: '' } as const;
    return { ok: false, error: await toFileError(notDirectory, 'read', place) };
  }
  if (status.ok) return { ok: true, path: status.path, shown, kind: status.kind, size: status.size };
  const error = await toFileError(status, 'read', place);
  return { ok: false, error: await suggestPaths(error, workspace, path) };
}

/** What is said when a folder is needed. */
export function notFolder(shown: string, instead: string): ToolError {
  return toolError('NOT_DIRECTORY', `${shown} is not a folder`, { hint: instead, details: { path: shown } });
}
