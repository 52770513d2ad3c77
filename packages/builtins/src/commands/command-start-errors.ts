import { toolError, type ToolError, type Workspace } from '@haft/core';
import type { SandboxFailure } from '@haft/sandbox';
import {
  findMissingFolder,
  hasNoRoots,
  isInsideRoots,
  missingFolderHint,
  noWorkspace,
} from '../files/workspace-problems.ts';

const goOnWithout = 'Continue without commands, and tell the user.';

/**
 * Rejects a working directory outside the roots. This does not confine the command, which can access other directories
 * itself.
 */
export async function refuseFolder(workspace: Workspace): Promise<ToolError | undefined> {
  if (await isInsideRoots(workspace)) return undefined;
  const { cwd } = workspace;
  const reason = hasNoRoots(workspace)
    ? noWorkspace
    : `the working directory ${JSON.stringify(cwd)} is not in a read or write root; pass workspace: createWorkspace({ cwd })`;
  return toolError('SPAWN_FAILED', `the shell was not started: ${reason}`, {
    fault: 'host',
    hint: `Commands may not use any folder. ${goOnWithout}`,
    details: { sandboxCode: 'OUTSIDE_ROOTS', cwd },
  });
}

/** Explains why the shell could not be started. The command is rarely the reason. */
export async function explainStart({ code, hint }: SandboxFailure, workspace: Workspace): Promise<ToolError> {
  const { cwd } = workspace;
  const missing = await findMissingFolder(workspace, cwd);
  const noShell = code === 'COMMAND_NOT_FOUND' ? 'no shell is installed' : undefined;
  return toolError('SPAWN_FAILED', `the shell could not be started: ${missing ?? noShell ?? code}`, {
    hint:
      missing === undefined
        ? noShell === undefined
          ? hint
          : `Commands can't run here. ${goOnWithout}`
        : missingFolderHint,
    details: { sandboxCode: code, cwd },
  });
}
