import { createWorkspace, type Workspace } from '@haft/core';
import { createPermissionEngine, type PermissionEngineOptions } from '@haft/permission';

/**
 * The folder that the tools may use. Reading inside it is allowed, everything else asks the user. Without a user to ask, it is denied.
 */
export function createWorkspaceIn(cwd: string, ask?: PermissionEngineOptions['ask']): Workspace {
  const permission = createPermissionEngine({
    // Rules come before questions: { action: 'allow', tool: 'add_item' } would not ask about that tool.
    rules: [],
    ...(ask === undefined ? {} : { ask }),
  });
  return createWorkspace({ cwd, permission });
}
