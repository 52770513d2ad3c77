import type { Workspace, WorkspaceOptions } from './contracts/workspace.ts';
import { silentLogger } from './contracts/session.ts';
import { allowReadOnly } from './permission-engines.ts';

/** Makes a workspace: reading and writing are limited to the working directory unless roots say otherwise. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  return {
    cwd: options.cwd,
    readRoots: options.readRoots ?? [options.cwd],
    writeRoots: options.writeRoots ?? [options.cwd],
    ...(options.spillDirectory === undefined ? {} : { spillDirectory: options.spillDirectory }),
    permission: options.permission ?? allowReadOnly,
    logger: options.logger ?? silentLogger,
    now: options.now ?? Date.now,
  };
}

/** The workspace of a dispatcher that was given none: no file can be reached. */
export const nowhere: Workspace = createWorkspace({ cwd: '/', readRoots: [], writeRoots: [] });
