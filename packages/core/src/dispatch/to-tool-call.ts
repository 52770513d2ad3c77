import type { JsonSchema } from '@haft/schema';
import type { CallReading, ToolCall } from '../contracts/calls/call.ts';
import type { ToolSnapshot } from '../contracts/tools/tool.ts';

/** A call found in text, as `extractToolCalls` of `@haft/repair` gives it. */
export interface FoundCall extends CallReading {
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * Makes a call that can be dispatched of one that was found in text, with what the reader found out about its
 * arguments, so that the result reports it and cut arguments are refused.
 */
export function toToolCall(found: FoundCall, id: string, stopped?: 'stop' | 'length'): ToolCall {
  const { name, risk, complete, repairs } = found;
  const call = { id, name, arguments: found.arguments, reading: { risk, complete, repairs } };
  return stopped === undefined ? call : { ...call, stopped };
}

/** The tools of a snapshot as `extractToolCalls` wants to know them. */
export function asCallableTools(
  snapshot: ToolSnapshot,
): readonly { readonly name: string; readonly parameters: JsonSchema }[] {
  return snapshot.tools.map((tool) => ({ name: tool.name, parameters: tool.input.jsonSchema }));
}
