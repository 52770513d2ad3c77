import { defineTool, success, type AnyTool } from '@haft/core';
import type { ToolDesk } from './tool-desk.ts';
import { notGenerated, outpaced, withCatalog } from './tool-failures.ts';

/** Makes `unregister_tool`: takes a tool that was made here off, and keeps its source in the trash. */
export function createUnregisterTool(desk: ToolDesk): AnyTool {
  return defineTool({
    name: 'unregister_tool',
    description: 'Removes a tool that was made with new_tool. Its source is kept: rollback_tool brings it back.',
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
        const kept = await desk.catalog.entry(name);
        if (!kept) return notGenerated(context, desk, name);
        if (!(await desk.catalog.discard(kept))) return outpaced(context, name);
        await desk.follow(name);
        const text = `${name} was removed. Its source is kept; rollback_tool with this name brings it back.`;
        return success(context.callId, text, { summary: `Removed the tool ${name}`, structured: { name } });
      }),
  }) as AnyTool;
}
