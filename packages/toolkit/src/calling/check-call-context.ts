import type { CallContext } from '@haft/core';
import {
  functionKind,
  modelKind,
  abortSignalKind,
  numberKind,
  sessionKind,
  stringKind,
  checkOptions,
  custom,
  described,
  millisecondsKind,
  objectWith,
  type OptionTable,
} from '@haft/core/options';
import { badParameter } from '../toolkit-error.ts';

const table: OptionTable<CallContext> = {
  snapshot: objectWith<NonNullable<CallContext['snapshot']>>('a ToolSnapshot', 'get'),
  signal: abortSignalKind,
  timeoutMs: millisecondsKind,
  sessionId: stringKind,
  runId: stringKind,
  turn: numberKind(),
  messageId: stringKind,
  inferenceId: stringKind,
  parentCallId: stringKind,
  modelName: stringKind,
  model: modelKind,
  session: described('an object such as { id, metadata }; a string is a sessionId', sessionKind),
  resources: custom('an array of resources', Array.isArray),
  messages: custom('an array of messages', Array.isArray),
  queue: objectWith<NonNullable<CallContext['queue']>>('a queue of createCallQueue()', 'enter'),
  onProgress: functionKind,
  idempotencyKey: stringKind,
  onStart: functionKind,
};

/**
 * Validates the context of a call, so that no member is silently ignored.
 * @throws ToolkitError `BAD_PARAMETER`.
 */
export function checkCallContext(context: unknown): void {
  checkOptions('callWith', context, table, '{ signal } as the first argument', badParameter);
}
