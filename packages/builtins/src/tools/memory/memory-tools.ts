import type { MemoryDependencies } from './memory-dependencies.ts';
import type { AnyTool } from '@haft/core';
import { checkOption } from '@haft/core/options';
import { invalidOption } from '../../builtins-error.ts';
import { memoryKind } from '../../options/dependency-kinds.ts';
import { createForgetTool } from './forget-tool.ts';
import { createRecallTool } from './recall-tool.ts';
import { createRememberTool } from './remember-tool.ts';

/**
 * Makes `remember`, `recall` and `forget`, over the scopes that `memory` has.
 *
 * @throws BuiltinsError `INVALID_OPTION` without a scope.
 */
export function createMemoryTools(dependencies: MemoryDependencies): readonly AnyTool[] {
  checkOption('createMemoryTools', 'memory', dependencies.memory, memoryKind, invalidOption);
  return [createRememberTool(dependencies), createRecallTool(dependencies), createForgetTool(dependencies)];
}
