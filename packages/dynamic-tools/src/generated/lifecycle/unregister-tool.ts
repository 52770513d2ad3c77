import { defineTool, success, type AnyTool } from '@haft/core';
import type { ToolDeps } from './lifecycle-tool-deps.ts';
import { notGenerated, supersededFailure, withCatalog } from './lifecycle-tool-failures.ts';

/** Creates `unregister_tool`: removes a generated tool and keeps its source in the trash. */
export function createUnregisterTool(deps: ToolDeps): AnyTool {
  return defineTool({
    name: 'unregister_tool',
    description: 'Removes a tool created with new_tool. Its source is kept; rollback_tool restores it.',
    input: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name of the tool, as list_tools shows it.' } },
      required: ['name'],
      additionalProperties: false,
    },
    traits: { destructive: false, openWorld: false, sideEffects: 'write' },
    initialTitle: ({ name }) => `Remove the tool ${name.slice(0, 64)}`,
    execute: ({ name }, context) =>
      withCatalog(context, async () => {
        const kept = await deps.catalog.entry(name);
        if (!kept) return notGenerated(context, deps, name);
        if (!(await deps.catalog.discard(kept))) return supersededFailure(context, name);
        await deps.follow(name);
        const text = `${name} was removed. Its source is kept; rollback_tool restores it.`;
        return success(context.callId, text, { summary: `Removed the tool ${name}`, structured: { name } });
      }),
  }) as AnyTool;
}
