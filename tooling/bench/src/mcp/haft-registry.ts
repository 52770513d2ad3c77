import { allowAll, createDispatcher, defineTool } from '@haft/core';
import type { ServableSource } from '@haft/mcp';
import { echoDescription, echoName, echoSchema } from './echo-tool.ts';

/** Tools as Haft serves them, with the whole pipeline of a call. */
export function createEchoSource(): ServableSource {
  const echo = defineTool({
    name: echoName,
    description: echoDescription,
    input: echoSchema,
    kind: 'read',
    traits: { readOnly: true, openWorld: false },
    execute: (args) => args['text'],
  });
  return createDispatcher({ registry: [echo], permission: allowAll });
}
