import type { JsonSchema } from '@haft/schema';
import type { CallReading, ToolCall } from '../contracts/calls/call.ts';
import type { ToolSnapshot } from '../contracts/tools/tool.ts';
import { checkOption } from '../options/check-options.ts';
import { snapshotKind } from '../options/contract-kinds.ts';
import { isRecord } from '../options/is-record.ts';
import { custom, nonEmptyStringKind } from '../options/option-kinds.ts';
import { stoppedKind } from './call/stopped-kind.ts';

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

const foundKind = custom<FoundCall>(
  'a call that extractToolCalls returned',
  (value) => isRecord(value) && typeof value['name'] === 'string',
);

/**
 * Converts a call found in text into a call that can be dispatched. Keeps the details of how its arguments were parsed,
 * so that the result reports them and truncated arguments are rejected.
 *
 * @throws HaftError `INVALID_OPTION` for a value that is not a found call, for an empty ID, and for another reason than
 * `stop` and `length`.
 */
export function toToolCall(found: FoundCall, id: string, stopped?: 'stop' | 'length'): ToolCall {
  checkOption('toToolCall', 'its first argument', found, foundKind);
  checkOption('toToolCall', 'id', id, nonEmptyStringKind);
  if (stopped !== undefined) checkOption('toToolCall', 'stopped', stopped, stoppedKind);
  const { name, risk, complete, repairs } = found;
  const call = { id, name, arguments: found.arguments, reading: { risk, complete, repairs } };
  return stopped === undefined ? call : { ...call, stopped };
}

/**
 * Returns the tools of a snapshot in the format that `extractToolCalls` expects.
 * @throws HaftError `INVALID_OPTION` if the argument is not a snapshot.
 */
export function asCallableTools(snapshot: ToolSnapshot): readonly CallableTool[] {
  checkOption('asCallableTools', 'its argument', snapshot, snapshotKind);
  return snapshot.tools.map(({ name, input, aliases }) => ({ name, parameters: input.jsonSchema, aliases }));
}
