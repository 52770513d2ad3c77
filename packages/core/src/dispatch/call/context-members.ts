import type { BatchContext } from '../../contracts/calls/call.ts';
import { findNearestNames } from '../../nearest-names.ts';
import { showName, showValue } from '../../options/show-value.ts';

/** What `typeof` says of the members of a context: it is checked for every call, so that no more is looked at. */
const types: Readonly<Record<keyof BatchContext, string>> = {
  snapshot: 'object',
  signal: 'object',
  timeoutMs: 'number',
  sessionId: 'string',
  runId: 'string',
  turn: 'number',
  messageId: 'string',
  inferenceId: 'string',
  parentCallId: 'string',
  modelName: 'string',
  session: 'object',
  resources: 'object',
  messages: 'object',
  queue: 'object',
  onProgress: 'function',
  mode: 'string',
  maxParallel: 'number',
  onDenied: 'string',
  onResult: 'function',
};

/** The type of each member of a context, by its name. */
export const contextMembers: ReadonlyMap<string, string> = new Map(Object.entries(types));

/** Describes a member of a context that does not exist, or has another type. */
export function describeWrongMember(name: string, value: unknown): string {
  const expected = contextMembers.get(name);
  if (expected !== undefined)
    return `context.${name} is not valid (expected a value of type ${expected}, got ${showValue(value, name)})`;
  const names = [...contextMembers.keys()];
  const [nearest] = findNearestNames(name, names, 1);
  const meant = nearest === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${nearest}?`;
  return `context.${showName(name)} is not an option (${meant})`;
}
