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
  /** The workspace of the tool's dependencies, or that of the call. */
  readonly workspace: Workspace;
  /** The file or folder for a path of the model: the same one that the permission check saw. */
  readonly place: (path: string) => FilePlace;
}

/** For the few tools that most work begins with: `createToolSearch` shows them first when it can't show all. */
export const basicPreference: ToolPreference = { weight: 2 };

/** The parts of a tool that differ between the tools of this package. */
export interface BuiltinDefinition<Input extends z.ZodObject> extends Omit<
  ToolDefinition<Input>,
  'execute' | 'footprint' | 'provider'
> {
  /** `cwd` is the folder that relative paths start from. */
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
      // These tools return what a model should know. What they throw comes from the program around them.
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
      // A path that did not resolve when it was checked, or means another file now, must not be used.
      return { ...place, expectedPath: resolved.find((file) => file.key === key)?.path ?? '' };
    },
  };
}
