import type { MemoryDependencies } from './memory-dependencies.ts';
import type { AnyTool } from '@haft/core';
import { checkOption } from '@haft/core/options';
import { invalidOption } from '../../builtins-error.ts';
import { memoryKind } from '../../options/dependency-kinds.ts';
import { createForgetTool } from './forget-tool.ts';
import { createRecallTool } from './recall-tool.ts';
import { createRememberTool } from './remember-tool.ts';

/**
 * Creates `remember`, `recall` and `forget` for the scopes in `memory`.
 *
 * @throws BuiltinsError `INVALID_OPTION` if `memory` has no scope.
 */
export function createMemoryTools(dependencies: MemoryDependencies): readonly AnyTool[] {
  checkOption('createMemoryTools', 'memory', dependencies.memory, memoryKind, invalidOption);
  return [createRememberTool(dependencies), createRecallTool(dependencies), createForgetTool(dependencies)];
}
