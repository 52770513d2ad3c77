import { toolError, type ToolError } from '@haft/core';
import { scopesOf, type MemoryStores, type MemoryScope } from '../../notes/memory-stores.ts';

/** Creates the error for a scope that is not configured. */
export function unknownScope(scope: MemoryScope, stores: MemoryStores): ToolError {
  const there = scopesOf(stores);
  return toolError('INVALID_ARGS', `the scope ${scope} is not available`, {
    hint: `Use scope "${there.join('" or "')}".`,
    details: { scope, scopes: there },
  });
}
