import type { BatchContext } from '../../contracts/calls/call.ts';
import { findNearestNames } from '../../names/nearest-names.ts';
import { showName, showValue } from '../../options/show-option-value.ts';
import { dispatcherOptionNames } from '../options/dispatcher-config.ts';

/** The `typeof` result of each context member. The check runs for every call, so it inspects nothing else. */
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
  model: 'object',
  session: 'object',
  resources: 'object',
  messages: 'object',
  queue: 'object',
  onProgress: 'function',
  idempotencyKey: 'string',
  onStart: 'function',
  mode: 'string',
  maxParallel: 'number',
  onDenied: 'string',
  onResult: 'function',
};

/** Maps the name of each context member to its type. */
export const contextMembers: ReadonlyMap<string, string> = new Map(Object.entries(types));

/** Describes an unknown context member or one with the wrong type. */
export function describeWrongMember(name: string, value: unknown): string {
  const expected = contextMembers.get(name);
  if (expected !== undefined)
    return `context.${name} is not valid (expected a value of type ${expected}, got ${showValue(value, name)})`;
  // The nearest member of a context would set another limit.
  if (dispatcherOptionNames.includes(name)) return `context.${name} is not an option (pass it to createDispatcher)`;
  const names = [...contextMembers.keys()];
  const [nearest] = findNearestNames(name, names, 1);
  const meant = nearest === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${nearest}?`;
  return `context.${showName(name)} is not an option (${meant})`;
}
