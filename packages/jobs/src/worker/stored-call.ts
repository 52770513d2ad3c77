import type { CallContext, ToolCall } from '@haft/core';

/** Restores the call of a job. Throws if the stored text is damaged. */
export function parseCall(text: string): ToolCall {
  const { id, name, ...rest } = JSON.parse(text) as ToolCall;
  if (typeof id !== 'string' || typeof name !== 'string') throw new TypeError('the stored call has no id or no name');
  return { ...rest, id, name };
}

/** Restores the context of a job. */
export function parseContext(text: string): CallContext {
  return JSON.parse(text) as CallContext;
}
