import type { JsonSchema } from '@haft/schema';
import type { CallReading, ToolCall } from '../contracts/calls/call.ts';
import type { ToolSnapshot } from '../contracts/tools/tool.ts';

/** A call found in text, as returned by `extractToolCalls` of `@haft/repair`. */
export interface FoundCall extends CallReading {
  readonly name: string;
  readonly arguments: unknown;
}

/** A tool as `extractToolCalls` of `@haft/repair` expects it. */
export interface CallableTool {
  readonly name: string;
  readonly parameters: JsonSchema;
  readonly aliases: Readonly<Record<string, readonly string[]>>;
}

/**
 * Converts a call found in text into a call that can be dispatched. Keeps the details of how its arguments were parsed,
 * so that the result reports them and truncated arguments are rejected.
 */
export function toToolCall(found: FoundCall, id: string, stopped?: 'stop' | 'length'): ToolCall {
  const { name, risk, complete, repairs } = found;
  const call = { id, name, arguments: found.arguments, reading: { risk, complete, repairs } };
  return stopped === undefined ? call : { ...call, stopped };
}

/** Returns the tools of a snapshot in the format that `extractToolCalls` expects. */
export function asCallableTools(snapshot: ToolSnapshot): readonly CallableTool[] {
  return snapshot.tools.map(({ name, input, aliases }) => ({ name, parameters: input.jsonSchema, aliases }));
}
