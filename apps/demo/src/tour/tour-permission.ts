import type { PermissionEngine } from '@haft/core';
import { createPermissionEngine } from '@haft/permission';

/** Nobody is asked in the tour: rules stand for the person. */
export function createTourPermission(): PermissionEngine {
  return createPermissionEngine({
    rules: [
      {
        key: 'no publishing',
        action: 'deny',
        command: ['git push *', 'npm publish *'],
        reason: 'nothing is published from here',
      },
      // No default allows a tool that a model writes: only a rule that names `new_tool` does.
      { key: 'own tools', action: 'allow', tool: 'new_tool' },
    ],
    defaults: { readInside: 'allow', readOutside: 'deny', other: 'allow' },
  });
}
