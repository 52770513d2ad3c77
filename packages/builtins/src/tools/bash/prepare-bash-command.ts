import { delimiter } from 'node:path';
import { type ToolError, type Workspace } from '@haft/core';
import { findExecutable, type Environment, type Jail } from '@haft/sandbox';
import { foldersOf, openCommandJail, programFolders } from './bash-jail.ts';
import { refuseFolder } from '../../commands/command-start-errors.ts';

/** The shell, environment variables and jail of a command. */
export interface PreparedCommand {
  readonly ok: true;
  readonly env: Environment;
  readonly jail: Jail | undefined;
  readonly shell: string | true;
  /** Releases the jail. Call it when the command has ended or was not started. */
  readonly letGo: () => void;
}

/** Finds the shell and the jail for the commands of a workspace, or returns the reason why no command may run. */
export async function prepareCommand(workspace: Workspace): Promise<PreparedCommand | ToolError> {
  const unusable = await refuseFolder(workspace);
  if (unusable) return unusable;
  const kept = await openCommandJail(workspace);
  if (!('ok' in kept)) return kept;
  const { env, jail, letGo } = kept;
  // A program in a writable directory cannot be trusted as a shell.
  const writable = foldersOf(workspace.writeRoots).filter((root) => root !== '/');
  const installed = { PATH: programFolders(env, writable).join(delimiter) };
  const shell = process.platform === 'win32' ? true : (findExecutable('bash', installed, workspace.cwd) ?? true);
  return { ok: true, env, jail, shell, letGo };
}
