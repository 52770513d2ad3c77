import { fileEffects } from '@haft/core/results';
import type { ToolResult } from '@haft/core';
import { absolutePath, aFunction, aString, oneOf, required, checkOptions, type OptionTable } from '@haft/core/options';
import type { GuardedCall, Guardrail } from './guardrail.ts';
import { createTaskMemory } from './task-memory.ts';

/** What reading first is judged by. */
export interface ReadBeforeWriteOptions {
  /** Absolute folder that relative paths are of. */
  readonly cwd: string;
  /** Whether there is such a file: one that isn't there needn't be read. `existsSync` of `node:fs` is one. */
  readonly exists: (path: string) => boolean | Promise<boolean>;
  /** `advise` lets the call run with a remark. Default `reject`. */
  readonly unread?: 'reject' | 'advise';
  readonly name?: string;
}

const table: OptionTable<ReadBeforeWriteOptions> = {
  cwd: required(absolutePath),
  exists: required(aFunction),
  unread: oneOf('reject', 'advise'),
  name: aString,
};

/**
 * Lets files be written that the task has read or made, and new ones: for tools that don't see to that themselves, as the
 * built-in ones do. It goes by footprints and effects, so that a call whose footprint names no file passes.
 */
export function readBeforeWrite(options: ReadBeforeWriteOptions): Guardrail {
  checkOptions('readBeforeWrite', options, table, '{ cwd, exists: existsSync }');
  const { cwd, exists, unread = 'reject', name = 'read-before-write' } = options;
  const memory = createTaskMemory(() => new Set<string>());
  return {
    name,
    kind: 'order',
    async before(call) {
      const known = memory.of(call.taskId);
      for (const path of filesOf(call, cwd, 'writes')) {
        if (known.has(path) || !(await exists(path))) continue;
        const said = `${path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path} was not read in this task`;
        return unread === 'advise'
          ? { advise: `${said}: make sure that you know what you replaced` }
          : { reject: said, hint: 'Nothing was done. Read the file first, then make the change.', code: 'NOT_READ' };
      }
      return undefined;
    },
    after(call, result) {
      const known = memory.of(call.taskId);
      for (const path of touched(call, result, cwd)) known.add(path);
      return undefined;
    },
    forgetTask: (taskId) => memory.forget(taskId),
  };
}

function touched(call: GuardedCall, result: ToolResult, cwd: string): readonly string[] {
  const byEffect = fileEffects(result).map(({ path }) => absolute(path, cwd));
  if (!result.ok) return byEffect;
  return [...byEffect, ...filesOf(call, cwd, 'reads'), ...filesOf(call, cwd, 'writes')];
}

function filesOf({ tool, arguments: args }: GuardedCall, cwd: string, side: 'reads' | 'writes'): readonly string[] {
  try {
    const keys = tool.footprint?.(args, { cwd })[side] ?? [];
    return keys.filter((key) => key.startsWith('file:') && !key.endsWith('/')).map((key) => key.slice(5));
  } catch {
    return [];
  }
}

function absolute(path: string, cwd: string): string {
  return /^([/\\]|[A-Za-z]:)/.test(path) ? path : `${cwd}/${path.replace(/^\.\//, '')}`;
}
