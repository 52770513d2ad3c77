import type { CallContext } from '@haft/core';
import {
  aFunction,
  anAbortSignal,
  aNumber,
  aSession,
  aString,
  checkOptions,
  custom,
  described,
  milliseconds,
  objectWith,
  type OptionTable,
} from '@haft/core/options';
import { badParameter } from '../toolkit-error.ts';

const table: OptionTable<CallContext> = {
  snapshot: objectWith<NonNullable<CallContext['snapshot']>>('a ToolSnapshot', 'get'),
  signal: anAbortSignal,
  timeoutMs: milliseconds,
  sessionId: aString,
  runId: aString,
  turn: aNumber(),
  messageId: aString,
  inferenceId: aString,
  parentCallId: aString,
  modelName: aString,
  session: described('an object such as { id, metadata }; a string is a sessionId', aSession),
  resources: custom('an array of resources', Array.isArray),
  messages: custom('an array of messages', Array.isArray),
  queue: objectWith<NonNullable<CallContext['queue']>>('a queue of createCallQueue()', 'enter'),
  onProgress: aFunction,
};

/**
 * Validates the context of a call, so that no member is silently ignored.
 * @throws ToolkitError `BAD_PARAMETER`.
 */
export function checkCallContext(context: unknown): void {
  checkOptions('callWith', context, table, '{ signal } as the first argument', badParameter);
}
