import { toolError, type ErrorCode, type ToolError, type Workspace } from '@haft/core';
import type { ExpectedPathOptions, ProtectionOptions, SandboxErrorCode, SandboxFailure } from '@haft/sandbox';
import { hintWhereToLook } from './find-file-hint.ts';
import { findMissingFolder, hasNoRoots, missingFolderHint, noWorkspace } from './workspace-problems.ts';

/** How a tool accesses the path. */
export type Access = 'read' | 'write';

const sameCode: Partial<Record<SandboxErrorCode, ErrorCode>> = {
  ALREADY_EXISTS: 'ALREADY_EXISTS',
  CHANGED_ON_DISK: 'CHANGED_ON_DISK',
  FILE_TOO_LARGE: 'FILE_TOO_LARGE',
  INVALID_PATH: 'INVALID_ARGS',
  IS_DIRECTORY: 'IS_DIRECTORY',
  NAME_TOO_LONG: 'INVALID_ARGS',
  NOT_DIRECTORY: 'NOT_DIRECTORY',
  NOT_FOUND: 'NOT_FOUND',
  NOT_REGULAR_FILE: 'NOT_REGULAR_FILE',
  PROTECTED_PATH: 'PERMISSION_DENIED',
  TARGET_CHANGED: 'TARGET_CHANGED',
  UNENCODABLE_TEXT: 'INVALID_ARGS',
};

const said: Partial<Record<SandboxErrorCode, string>> = {
  ACCESS_DENIED: 'the system does not permit it',
  CHANGED_ON_DISK: 'it changed since it was read',
  FILE_TOO_LARGE: 'it is too large to read whole',
  HARD_LINKED: 'it has several names (hard links), and one may be outside the workspace',
  INVALID_PATH: 'that is not a valid path',
  IS_DIRECTORY: 'it is a directory',
  NAME_TOO_LONG: 'the path is too long',
  NOT_DIRECTORY: 'a part of the path is not a directory',
  NOT_FOUND: 'nothing exists there',
  NOT_REGULAR_FILE: 'it is a pipe, a socket or a device',
  OUTSIDE_ROOTS: 'it is outside the folders that may be used',
  PROTECTED_PATH: 'it holds secrets, or other programs run or trust it',
  SYMLINK_LOOP: 'its symbolic links never end',
  SYMLINK_REFUSED: 'it is a symbolic link',
  TARGET_CHANGED: 'it points to another file now than when this was allowed',
  UNENCODABLE_TEXT: "the text has characters that the file's encoding can't represent",
};

/** A file or folder that a tool accesses. */
export interface FilePlace extends ExpectedPathOptions, ProtectionOptions {
  readonly workspace: Workspace;
  /** Absolute. */
  readonly path: string;
  /** The path in the form for models. */
  readonly shown: string;
}

/**
 * Converts a failure of the sandbox into a tool error, with the path in the form for models.
 *
 * The fault is `policy` only if a policy refused the access, `host` if no roots are configured, and `world` if the
 * working directory does not exist, because no other path would help.
 */
export async function toFileError(failure: SandboxFailure, access: Access, place: FilePlace): Promise<ToolError> {
  const { workspace, path, shown } = place;
  const details = { path: shown, sandboxCode: failure.code };
  if (failure.code === 'OUTSIDE_ROOTS' && hasNoRoots(workspace)) {
    return toolError(outside(access), `can't ${access} ${shown}: ${noWorkspace}`, {
      fault: 'host',
      hint: 'These tools may not use any folder. Continue without files, and tell the user.',
      details,
    });
  }
  const isNowhere = failure.code === 'NOT_FOUND' || failure.code === 'NOT_DIRECTORY';
  const missing = isNowhere ? await findMissingFolder(workspace, path) : undefined;
  if (missing !== undefined) {
    return toolError(failed(access), `can't ${access} ${shown}: ${missing}`, {
      hint: missingFolderHint,
      details: { ...details, cwd: workspace.cwd },
    });
  }
  const code = failure.code === 'OUTSIDE_ROOTS' ? outside(access) : (sameCode[failure.code] ?? failed(access));
  const reason = said[failure.code] ?? `the ${access} failed`;
  const isPolicy = failure.code === 'HARD_LINKED';
  const isModel = failure.code === 'SYMLINK_REFUSED' || failure.code === 'SYMLINK_LOOP';
  return toolError(code, `can't ${access} ${shown}: ${reason}`, {
    hint: isNowhere ? await hintWhereToLook(workspace, path) : failure.hint,
    details,
    ...(isPolicy ? { fault: 'policy' } : {}),
    ...(isModel ? { fault: 'model' } : {}),
  });
}

function outside(access: Access): ErrorCode {
  return access === 'read' ? 'OUTSIDE_READ_ROOTS' : 'OUTSIDE_WRITE_ROOTS';
}

function failed(access: Access): ErrorCode {
  return access === 'read' ? 'READ_ERROR' : 'WRITE_ERROR';
}
