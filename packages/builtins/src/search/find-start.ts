import { toolError, type ToolError, type Workspace } from '@haft/core';
import { resolvePath, statConfined, type EntryKind } from '@haft/sandbox';
import { toFileError } from '../file-errors.ts';
import { suggestPaths } from '../read/find-similar-paths.ts';
import { showPath } from '../show-path.ts';

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
export async function findStart(
  workspace: Workspace,
  path: string | undefined,
): Promise<SearchStart | SearchStartFailure> {
  const target = resolvePath(workspace.cwd, path ?? '.');
  const shown = showPath(workspace.cwd, target);
  const status = await statConfined(workspace.readRoots, target);
  // A working directory that is a file is nobody's choice of a start.
  if (status.ok && status.kind !== 'directory' && shown === '.') {
    const notDirectory = { ok: false, code: 'NOT_DIRECTORY', message: '', hint: '' } as const;
    return { ok: false, error: await toFileError(notDirectory, 'read', { workspace, path: target, shown }) };
  }
  if (status.ok) return { ok: true, path: status.path, shown, kind: status.kind, size: status.size };
  const error = await toFileError(status, 'read', { workspace, path: target, shown });
  return { ok: false, error: await suggestPaths(error, workspace, target) };
}

/** What is said when a folder is needed. */
export function notFolder(shown: string, instead: string): ToolError {
  return toolError('NOT_DIRECTORY', `${shown} is not a folder`, { hint: instead, details: { path: shown } });
}
