import { createWorkspace, type Workspace } from '@haft/core';
import { createPermissionEngine, type PermissionEngineOptions } from '@haft/permission';

/**
 * The folder that the tools may use. Reading inside it is allowed, and so are your own tools with `kind: 'read'`, unless they reach
 * the open world. Everything else asks the user, and is denied without a user to ask.
 */
export function createWorkspaceIn(cwd: string, ask?: PermissionEngineOptions['ask']): Workspace {
  const permission = createPermissionEngine({
    // Rules come before questions: { action: 'allow', tool: 'add_item' } would not ask about that tool.
    rules: [],
    // Your own read-only tools, such as one that looks up an order, run without a question.
    defaults: { readUndeclared: 'allow' },
    ...(ask === undefined ? {} : { ask }),
  });
  // Commands of the tool bash run only in a jail (Linux with bubblewrap: `npx haft doctor` says whether it works).
  return createWorkspace({ cwd, permission, jail: { policy: 'required' } });
}
