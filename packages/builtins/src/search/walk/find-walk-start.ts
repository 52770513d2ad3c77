import { toolError, type ToolError } from '@haft/core';
import { statConfined, type EntryKind } from '@haft/sandbox';
import { toFileError, type FilePlace } from '../../files/file-errors.ts';
import { suggestPaths } from '../../files/find-similar-paths.ts';

/** The file or directory where a search begins. */
export interface WalkStart {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /** The path in the form for models. */
  readonly shown: string;
  readonly kind: EntryKind;
  readonly size: number;
}

/** Why a search can't begin there. */
export interface WalkStartFailure {
  readonly ok: false;
  readonly error: ToolError;
}

/** Finds the directory or file where a search begins. */
export async function findWalkStart(place: FilePlace): Promise<WalkStart | WalkStartFailure> {
  const { workspace, path, shown } = place;
  const status = await statConfined(workspace.readRoots, path, place);
  // The model did not choose the working directory, so a working directory that is a file is not the model's fault.
  if (status.ok && status.kind !== 'directory' && shown === '.') {
    const notDirectory = { ok: false, code: 'NOT_DIRECTORY', message: '', hint: '' } as const;
    return { ok: false, error: await toFileError(notDirectory, 'read', place) };
  }
  if (status.ok) return { ok: true, path: status.path, shown, kind: status.kind, size: status.size };
  const error = await toFileError(status, 'read', place);
  return { ok: false, error: await suggestPaths(error, workspace, path) };
}

/** Creates the error for a file where a directory is needed. */
export function notFolder(shown: string, instead: string): ToolError {
  return toolError('NOT_DIRECTORY', `${shown} is not a folder`, { hint: instead, details: { path: shown } });
}
