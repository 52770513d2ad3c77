import { allowAll, createDispatcher, defineTool, ToolRegistry } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import type { ServableSource } from '@haft/mcp';
import { echoDescription, echoName, echoSchema } from './echo-tool.ts';

/** Tools as Haft serves them, with the whole pipeline of a call. */
export function createEchoSource(): ServableSource {
  const registry = new ToolRegistry();
  registry.register(
    eraseTool(
      defineTool({
        name: echoName,
        description: echoDescription,
        input: echoSchema,
        kind: 'read',
        traits: { readOnly: true, openWorld: false },
        execute: (args) => args['text'],
      }),
    ),
  );
  return createDispatcher({ registry, permission: allowAll });
}
