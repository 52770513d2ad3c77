import { failure, redactText, success, toolError, type AnyTool, type ToolError, type ToolResult } from '@haft/core';
import { cleanText } from '@haft/sandbox';
import { z } from 'zod';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import {
  createMemoryId,
  keepMemory,
  listMemories,
  maxMemories,
  scopesOf,
  type MemoryStores,
} from '../../notes/memory-stores.ts';
import type { MemoryDependencies } from './memory-dependencies.ts';
import { unknownScope } from './unknown-memory-scope.ts';

const maxMemoryLength = 2_000;

const input = z.strictObject({
  content: z.string().trim().min(1).max(maxMemoryLength).describe('One fact, in one or two self-contained sentences.'),
  scope: z
    .enum(['session', 'project', 'global'])
    .optional()
    .describe(
      '"session": until this session ends; "project": for all work on this project; "global": for all work. Default: the project, if there is one.',
    ),
  id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('The id of a memory to replace, as recall shows it. Default: a new one.'),
});

/** Creates the `remember` tool, which stores a fact beyond the conversation. */
export function createRememberTool(dependencies: MemoryDependencies): AnyTool {
  const stores = dependencies.memory;
  const usualScope = stores.project ? 'project' : scopesOf(stores)[0]!;
  return defineBuiltin('createMemoryTools', dependencies, {
    name: 'remember',
    title: 'Remember something',
    description:
      'Stores one fact for later: what the user prefers, decided or corrected, or what was hard to find out. Use it when the user asks for it, or when ' +
      'it will be needed after this conversation. Not for facts that are in files or the history of the project, not for tasks (todo), and never for passwords, keys or tokens. ' +
      'Recall first, and replace a memory that is out of date by its id.',
    input,
    kind: 'other',
    traits: {
      readOnly: false,
      destructive: false,
      idempotent: true,
      openWorld: false,
      sideEffects: 'write',
      requires: ['memory'],
    },
    aliases: { content: ['memory', 'fact', 'text', 'note'], id: ['memory_id', 'memoryId'] },
    footprint: ({ scope = usualScope }) => ({ writes: [`memory:${scope}`] }),
    initialTitle: ({ content, scope = usualScope }) =>
      `Remember (${scope}): ${content.replace(/\s+/g, ' ').slice(0, 120)}`,
    run: (args, call) => remember({ ...args, scope: args.scope ?? usualScope }, call, stores),
  });
}

type Given = z.output<typeof input> & { readonly scope: NonNullable<z.output<typeof input>['scope']> };

async function remember(
  { content: given, scope, id }: Given,
  { context }: BuiltinCall,
  stores: MemoryStores,
): Promise<ToolResult> {
  const { callId, sessionId } = context;
  const place = stores[scope];
  if (!place) return failure(callId, unknownScope(scope, stores));
  const content = cleanText(given);
  if (redactText(content) !== content) return failure(callId, secret());
  const memories = await listMemories(stores, scope, sessionId);
  if (id !== undefined && !memories.some((memory) => memory.id === id))
    return failure(callId, unknownMemory(id, scope));
  const same = memories.find((memory) => fold(memory.content) === fold(content));
  const extras = {
    structured: { id: same?.id ?? id, scope },
    summary: `Remembered (${scope}): ${content.slice(0, 120)}`,
  };
  if (same && (id === undefined || same.id === id))
    return success(callId, `That is remembered already, as ${same.id} (${scope}).`, extras);
  if (id === undefined && memories.length >= maxMemories) return failure(callId, full(scope));
  const kept = id ?? createMemoryId();
  await keepMemory(place, { scope, sessionId, content, id: kept, at: new Date(context.now()).toISOString() });
  return success(callId, `Remembered as ${kept} (${scope}).`, { ...extras, structured: { id: kept, scope } });
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function secret(): ToolError {
  return toolError('INVALID_ARGS', 'content seems to contain a password, a key or a token; nothing was remembered', {
    hint: 'Leave the secret out. If it matters, remember where it is kept: "the key is in the password manager".',
  });
}

function full(scope: string): ToolError {
  return toolError('LIMIT_REACHED', `the scope ${scope} already has ${maxMemories} memories, the maximum`, {
    fault: 'model',
    hint: 'Call recall, and forget what is out of date or join related ones; then remember again.',
  });
}

/** Creates the error for an unknown memory id. */
export function unknownMemory(id: string, where: string): ToolError {
  return toolError('NOT_FOUND', `there is no memory ${JSON.stringify(id)} (${where})`, {
    hint: 'Call recall, and use an id that it shows.',
    details: { id },
  });
}
