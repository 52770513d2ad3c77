import type { PermissionEngine } from '@haft/core';
import { createPermissionEngine } from '@haft/permission';

/** The tour asks no questions: rules decide. */
export function createTourPermission(): PermissionEngine {
  return createPermissionEngine({
    rules: [
      {
        key: 'no publishing',
        action: 'deny',
        command: ['git push *', 'npm publish *'],
        reason: 'publishing is not allowed here',
      },
      // Only a rule that names `new_tool` allows a tool that a model writes.
      { key: 'own tools', action: 'allow', tool: 'new_tool' },
    ],
    defaults: { readInside: 'allow', readOutside: 'deny', other: 'allow' },
  });
}
