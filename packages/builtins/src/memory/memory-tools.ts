import type { AnyTool } from '@haft/core';
import type { BuiltinDependencies } from '../builtin-dependencies.ts';
import { checkMemory } from '../check-notes.ts';
import { createForgetTool } from './forget-tool.ts';
import type { MemoryPlaces } from './memory-places.ts';
import { createRecallTool } from './recall-tool.ts';
import { createRememberTool } from './remember-tool.ts';

/** What the memory tools work with. */
export type MemoryDependencies = BuiltinDependencies & { readonly memory: MemoryPlaces };

/**
 * Makes `remember`, `recall` and `forget`, over the scopes that `memory` has.
 *
 * @throws BuiltinsError `INVALID_OPTION` without a scope.
 */
export function createMemoryTools(dependencies: MemoryDependencies): readonly AnyTool[] {
  checkMemory('createMemoryTools', dependencies.memory);
  return [createRememberTool(dependencies), createRecallTool(dependencies), createForgetTool(dependencies)];
}
