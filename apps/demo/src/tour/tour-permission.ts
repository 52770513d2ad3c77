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
    ],
    defaults: { readInside: 'allow', readOutside: 'deny', other: 'allow' },
  });
}
