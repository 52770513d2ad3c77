import { type ToolError, type Workspace } from '@haft/core';
import { findExecutable, type Environment, type Jail } from '@haft/sandbox';
import { openCommandJail } from './command-jail.ts';
import { refuseFolder } from './start-errors.ts';

/** How a command line is started. */
export interface PreparedCommand {
  readonly ok: true;
  readonly env: Environment;
  readonly jail: Jail | undefined;
  readonly shell: string | true;
}

/** Finds the shell for a workspace's commands, and what they are kept in; says beforehand why nothing may run. */
export async function prepareCommand(workspace: Workspace): Promise<PreparedCommand | ToolError> {
  const unusable = await refuseFolder(workspace);
  if (unusable) return unusable;
  const kept = await openCommandJail(workspace);
  if (!('ok' in kept)) return kept;
  const { env, jail } = kept;
  const shell = process.platform === 'win32' ? true : (findExecutable('bash', env, workspace.cwd) ?? true);
  return { ok: true, env, jail, shell };
}
