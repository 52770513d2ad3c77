import { failure, success, type AnyTool, type ToolResult } from '@haft/core';
import { z } from 'zod';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { dropMemory, listMemories, scopesOf, type MemoryStores } from '../../notes/memory-stores.ts';
import type { MemoryDependencies } from './memory-dependencies.ts';
import { unknownMemory } from './remember-tool.ts';
import { unknownScope } from './unknown-memory-scope.ts';

const input = z.strictObject({
  id: z.string().min(1).max(100).describe('The id of the memory, as recall shows it.'),
  scope: z.enum(['session', 'project', 'global']).optional().describe('Where it is stored. Default: any scope.'),
});

/** Creates the `forget` tool, which removes one memory. */
export function createForgetTool(dependencies: MemoryDependencies): AnyTool {
  const stores = dependencies.memory;
  return defineBuiltin('createMemoryTools', dependencies, {
    name: 'forget',
    title: 'Forget something',
    description:
      'Removes one memory permanently, by its id. Use it when the user asks for it, or when a memory is wrong or out of date. ' +
      'To correct one, call remember with its id instead.',
    input,
    kind: 'delete',
    traits: {
      readOnly: false,
      destructive: true,
      idempotent: true,
      openWorld: false,
      sideEffects: 'write',
      requires: ['memory'],
    },
    aliases: { id: ['memory_id', 'memoryId', 'memory'] },
    footprint: ({ scope }) => ({ writes: (scope ? [scope] : scopesOf(stores)).map((each) => `memory:${each}`) }),
    initialTitle: ({ id }) => `Forget ${JSON.stringify(id)}`,
    run: (args, call) => forget(args, call, stores),
  });
}

async function forget(
  { id, scope }: z.output<typeof input>,
  { context }: BuiltinCall,
  stores: MemoryStores,
): Promise<ToolResult> {
  const { callId, sessionId } = context;
  if (scope !== undefined && !stores[scope]) return failure(callId, unknownScope(scope, stores));
  for (const each of scope === undefined ? scopesOf(stores) : [scope]) {
    const memory = (await listMemories(stores, each, sessionId)).find((candidate) => candidate.id === id);
    if (!memory) continue;
    await dropMemory(stores[each]!, each, sessionId, id);
    return success(callId, `Forgotten: ${memory.content}`, {
      summary: `Forgotten (${each}): ${memory.content.slice(0, 120)}`,
      structured: { id, scope: each },
    });
  }
  return failure(callId, unknownMemory(id, scope ?? 'in any scope'));
}
