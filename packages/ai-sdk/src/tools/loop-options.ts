import type { ToolExecutionOptions } from 'ai';
import type { BatchContext, Resource, ToolCall, ToolContext } from '@haft/core';

/** What the AI SDK's loop passes to a tool besides its input, the id of the call and the signal. */
export type LoopOptions = Omit<ToolExecutionOptions<unknown>, 'toolCallId' | 'abortSignal'>;

/**
 * The options of the calls of a batch. They hang on the batch's list of resources, which every body can read, because
 * the ids of calls are not unique: two loops may use the same.
 */
const optionsOfBatch = new WeakMap<readonly Resource[], ReadonlyMap<string, LoopOptions>>();

/** Returns the context of a batch in which bodies find the options that the AI SDK's loop gave for their calls. */
export function withLoopOptions(
  context: BatchContext,
  calls: readonly { readonly call: ToolCall; readonly options: LoopOptions }[],
): BatchContext {
  const resources = [...(context.resources ?? [])];
  optionsOfBatch.set(resources, new Map(calls.map(({ call, options }) => [keyOf(call.name, call.id), options])));
  return { ...context, resources };
}

/** Finds the options of the running call. Undefined if another loop than the AI SDK's made the call. */
export function loopOptionsOf(name: string, { resources, callId }: ToolContext): LoopOptions | undefined {
  return optionsOfBatch.get(resources)?.get(keyOf(name, callId));
}

function keyOf(name: string, callId: string): string {
  return `${name}\n${callId}`;
}
