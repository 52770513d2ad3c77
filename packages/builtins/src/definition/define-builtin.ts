import {
  defineTool,
  type AnyTool,
  type Footprint,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
  type Workspace,
} from '@haft/core';
import { eraseTool, type ToolPreference } from '@haft/core/define';
import { resolvePath } from '@haft/sandbox';
import type { z } from 'zod';
import { builtinProvider, type BuiltinDependencies } from '../options/builtin-dependencies.ts';
import { checkDependencies } from '../options/check-options.ts';
import { fileKey } from './footprint-keys.ts';
import type { FilePlace } from '../files/file-errors.ts';
import { showPath } from '../show-path.ts';

/** One call of a tool of this package. */
export interface BuiltinCall {
  readonly context: ToolContext;
  /** The `workspace` option of the tool or, without it, the workspace of the call. */
  readonly workspace: Workspace;
  /** The resolved path of an argument: the same file or folder that the permission check saw. */
  readonly place: (path: string) => FilePlace;
}

/** Weight of tools with which most tasks start. `createToolSearch` shows tools with a high weight first. */
export const basicPreference: ToolPreference = { weight: 2 };

/** The parts that differ between the tools of this package. */
export interface BuiltinDefinition<Input extends z.ZodObject> extends Omit<
  ToolDefinition<Input>,
  'execute' | 'footprint' | 'provider'
> {
  /** Relative paths start at `cwd`. */
  readonly footprint: (args: z.output<Input>, cwd: string) => Partial<Footprint>;
  readonly run: (args: z.output<Input>, call: BuiltinCall) => Promise<ToolResult>;
}

/**
 * Creates a tool of this package.
 *
 * @throws BuiltinsError `INVALID_OPTION` for invalid dependencies; `owner` is the function that received them.
 */
export function defineBuiltin<Input extends z.ZodObject>(
  owner: string,
  dependencies: BuiltinDependencies,
  definition: BuiltinDefinition<Input>,
): AnyTool {
  checkDependencies(owner, dependencies);
  const { footprint, run, ...rest } = definition;
  return eraseTool(
    defineTool<Input>({
      // These tools return every failure that a model can act on, so an exception is a defect of the program.
      errors: 'redact',
      ...rest,
      provider: builtinProvider,
      footprint: (args, { cwd }) => ({
        reads: [],
        writes: [],
        ...footprint(args as z.output<Input>, dependencies.workspace?.cwd ?? cwd),
      }),
      execute: (args, context) => run(args as z.output<Input>, createCall(context, dependencies)),
    }),
  );
}

function createCall(context: ToolContext, dependencies: BuiltinDependencies): BuiltinCall {
  const { workspace = context.workspace, protection } = dependencies;
  return {
    context,
    workspace,
    place(given) {
      const path = resolvePath({ cwd: workspace.cwd, path: given });
      const { resolved } = context.permission;
      const place = { workspace, path, shown: showPath(workspace.cwd, path), ...(protection ? { protection } : {}) };
      if (resolved === undefined) return place;
      const key = fileKey(workspace.cwd, given);
      // Rejects a path that did not resolve during the permission check, or that resolves to another file now.
      return { ...place, expectedPath: resolved.find((file) => file.key === key)?.path ?? '' };
    },
  };
}
