import { fileEffects } from '@haft/core/results';
import type { ToolResult } from '@haft/core';
import {
  absolutePathKind,
  functionKind,
  stringKind,
  oneOf,
  required,
  checkOptions,
  type OptionTable,
} from '@haft/core/options';
import type { GuardedCall, Guardrail } from './guardrail.ts';
import { createTaskMemory } from './guard-memory.ts';

/** Options of {@link readBeforeWrite}. */
export interface ReadBeforeWriteOptions {
  /** Absolute base of relative paths. */
  readonly cwd: string;
  /** Returns whether a file exists; new files need no reading. For example `existsSync` of `node:fs`. */
  readonly exists: (path: string) => boolean | Promise<boolean>;
  /** `advise` runs the call and adds advice. Default `reject`. */
  readonly unread?: 'reject' | 'advise';
  readonly name?: string;
}

const table: OptionTable<ReadBeforeWriteOptions> = {
  cwd: required(absolutePathKind),
  exists: required(functionKind),
  unread: oneOf('reject', 'advise'),
  name: stringKind,
};

/**
 * Allows writing only to new files and to files that the task has read or created. For tools that do not check this
 * themselves; the built-in tools do. It relies on footprints and effects: a call without files in its footprint passes.
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
        const reason = `${path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path} was not read in this task`;
        return unread === 'advise'
          ? { advise: `${reason}: make sure that you know what you replaced` }
          : { reject: reason, hint: 'Nothing was done. Read the file first, then make the change.', code: 'NOT_READ' };
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
