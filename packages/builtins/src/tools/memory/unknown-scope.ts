import { toolError, type ToolError } from '@haft/core';
import { scopesOf, type MemoryPlaces, type MemoryScope } from '../../notes/memory-places.ts';

/** What is said of a scope that a program does not keep. */
export function unknownScope(scope: MemoryScope, places: MemoryPlaces): ToolError {
  const there = scopesOf(places);
  return toolError('INVALID_ARGS', `nothing is kept for the scope ${scope} here`, {
    hint: `Use scope "${there.join('" or "')}".`,
    details: { scope, scopes: there },
  });
}
