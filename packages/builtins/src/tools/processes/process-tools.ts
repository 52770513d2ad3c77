import type { AnyTool } from '@haft/core';
import type { ProcessManager } from '@haft/sandbox';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { checkOption } from '@haft/core/options';
import { invalidOption } from '../../builtins-error.ts';
import { processesKind } from '../../options/dependency-kinds.ts';
import { createBashOutputTool } from './bash-output-tool.ts';
import { createListProcessesTool } from './list-processes-tool.ts';
import { createStopProcessTool } from './stop-process-tool.ts';

/**
 * Creates the tools for background processes of `bash`: `bash_output`, `stop_process` and `list_processes`. Pass the
 * same manager to `createBashTool`. Each session sees only its own processes.
 *
 * @throws BuiltinsError `INVALID_OPTION` for an unknown or invalid option, or a missing manager.
 */
export function createProcessTools(
  dependencies: BuiltinDependencies & { readonly processes: ProcessManager },
): readonly AnyTool[] {
  const { processes } = dependencies;
  checkOption('createProcessTools', 'processes', processes, processesKind, invalidOption);
  return [createBashOutputTool, createStopProcessTool, createListProcessesTool].map((create) =>
    create(processes, dependencies),
  );
}
