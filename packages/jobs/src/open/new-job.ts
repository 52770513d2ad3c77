import { randomUUID } from 'node:crypto';

import type { ToolCall } from '@haft/core';

import type { StoredContext, SubmitOptions } from '../contracts/job.ts';
import { JobsError } from '../jobs-error.ts';
import type { NewJob } from '../states/submit-jobs.ts';
import { checkSubmitOptions } from './jobs-options.ts';

/** Checks and serializes a call. @throws JobsError `INVALID_OPTION`. */
export function createNewJob(call: ToolCall, options: SubmitOptions): NewJob {
  checkSubmitOptions(options);
  const { queue = 'default', key, priority = 0, timeoutMs, workspace = '', startAfter, schemaHash } = options;
  return {
    id: randomUUID(),
    queue,
    workspace,
    key: key ?? null,
    tool: call.name,
    callId: call.id,
    call: serializeCall(call),
    context: JSON.stringify(storable(options.context ?? {})),
    schemaHash: schemaHash ?? null,
    priority,
    timeoutMs: timeoutMs === undefined || timeoutMs === Infinity ? null : timeoutMs,
    delayMs: typeof startAfter === 'number' ? startAfter : null,
    startAt: startAfter instanceof Date ? startAfter : null,
  };
}

function serializeCall(call: ToolCall): string {
  const { id, name } = (call ?? {}) as Partial<ToolCall>;
  if (typeof id !== 'string' || typeof name !== 'string' || name === '' || !isPlainText(id + name)) {
    throw refuse('its first argument is not valid (expected a call such as { id, name, arguments })');
  }
  const { arguments: args, stopped, reading } = call;
  try {
    return JSON.stringify({ id, name, arguments: args, stopped, reading });
  } catch (cause) {
    throw refuse('the arguments are not JSON (expected text, or a value without cycles and bigints)', { cause });
  }
}

/** Checks for text without control characters and lone surrogates, which PostgreSQL can't store unchanged. */
function isPlainText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}

const stored: readonly (keyof StoredContext)[] = [
  'sessionId',
  'runId',
  'turn',
  'messageId',
  'inferenceId',
  'parentCallId',
  'modelName',
];

/** Copies the members of a context that can be stored. */
export function storable(context: StoredContext): StoredContext {
  return Object.fromEntries(stored.filter((name) => context[name] !== undefined).map((name) => [name, context[name]]));
}

function refuse(problem: string, options?: ErrorOptions): JobsError {
  return new JobsError('INVALID_OPTION', `submit: ${problem}`, options);
}
