import {
  combineSources,
  createDispatcher,
  defineTool,
  failure,
  toolError,
  type AnyTool,
  type CallContext,
  type DispatcherOptions,
  type Prompt,
  type ToolError,
  type ToolSource,
} from '@haft/core';
import { createSnapshotFilter, encodeName } from '@haft/core/registry';
import type { JsonSchema } from '@haft/schema';
import { promptProvider } from '../assembly/make-workspace.ts';
import { findItem } from '../catalogue/find-item.ts';
import type { GatheredItems } from '../catalogue/gather-items.ts';
import type { AgentPrompt } from '../prompts/agent-prompt.ts';
import type { Answer } from '../answer.ts';
import type { CallInput } from './read-inputs.ts';

/** Dependencies for selecting the tools of a prompt. */
export interface PromptToolsParts {
  readonly source: ToolSource;
  readonly gather: () => Promise<GatheredItems>;
  readonly call: (context: CallContext, prompt: Prompt, ...inputs: readonly CallInput[]) => Promise<Answer>;
  readonly dispatcher: Omit<DispatcherOptions, 'registry'>;
}

/** Returns the tools that a prompt may use: the tools and prompts that it names, or all tools if it names none. */
export async function chooseTools(
  { name, tools }: AgentPrompt,
  { source, gather, call, dispatcher }: PromptToolsParts,
): Promise<ToolSource | ToolError> {
  if (tools === undefined) return source;
  const items = await gather();
  const allowed = new Set<string>();
  const prompts: AnyTool[] = [];
  for (const key of tools) {
    const found = findItem(key, items);
    if (!found.ok) {
      const { message, hint } = found.error;
      return toolError(
        'TOOL_UNAVAILABLE',
        `the prompt ${name} needs ${key}, but ${message}`,
        hint === undefined ? {} : { hint },
      );
    }
    if (found.item.kind === 'tool') allowed.add(found.item.tool.name);
    if (found.item.kind === 'prompt') prompts.push(asTool(found.item.prompt, call));
  }
  const chosen = restrict(source, allowed);
  return prompts.length === 0 ? chosen : combineSources(createDispatcher({ ...dispatcher, registry: prompts }), chosen);
}

/** Creates a tool source that lists and runs only the named tools. */
function restrict(source: ToolSource, names: ReadonlySet<string>): ToolSource {
  const restricted = createSnapshotFilter(({ name }) => names.has(name));
  const snapshot = (): ReturnType<ToolSource['snapshot']> => restricted(source.snapshot());
  return {
    snapshot,
    visibleTo: async (model) => restricted(await source.visibleTo(model)),
    dispatch: (given, context) =>
      source.dispatch(given, { ...context, snapshot: restricted(context?.snapshot ?? snapshot()) }),
    dispatchBatch: (given, context) =>
      source.dispatchBatch(given, { ...context, snapshot: restricted(context?.snapshot ?? snapshot()) }),
  };
}

/** Wraps a prompt as a tool. The variables of the prompt become the arguments of the tool. */
function asTool(prompt: AgentPrompt, call: PromptToolsParts['call']): AnyTool {
  const schema = prompt.input?.jsonSchema;
  const isObject = typeof schema === 'object' && schema.type === 'object';
  const input: JsonSchema = isObject ? schema : wrapped(prompt, schema);
  return defineTool({
    name: encodeName(prompt.name, () => false),
    naming: 'wire',
    description: prompt.description ?? prompt.title ?? `Runs the prompt ${prompt.name}.`,
    provider: promptProvider,
    input: input as Readonly<Record<string, unknown>>,
    // Calls that the run makes are checked separately.
    parallelizable: true,
    async execute(args, context) {
      const { signal, session, sessionId, resources, callId } = context;
      const given = (
        isObject || schema === undefined ? args : (args as { readonly input?: unknown }).input
      ) as CallInput;
      const answer = await call({ signal, session, sessionId }, prompt, given, ...resources);
      return answer.ok
        ? { ok: true, callId, content: [{ type: 'text', text: String(await answer.read(signal)) }] }
        : failure(callId, answer.error);
    },
  });
}

/** Returns an object schema for the arguments. Any other schema becomes the only property of an object. */
function wrapped(prompt: Prompt, schema: JsonSchema | undefined): JsonSchema {
  if (schema !== undefined)
    return { type: 'object', properties: { input: schema }, required: ['input'], additionalProperties: false };
  return {
    type: 'object',
    properties: Object.fromEntries(
      prompt.variables.map(({ name, description }) => [name, description === undefined ? {} : { description }]),
    ),
    required: prompt.variables.filter(({ required }) => required).map(({ name }) => name),
  };
}
