import type { Message, MessageToolCall, RunTracing } from '@haft/core';
import {
  aBoolean,
  aFunction,
  aModel,
  anAbortSignal,
  anInteger,
  aNumber,
  anyValue,
  aPermissionEngine,
  arrayOf,
  aSession,
  aString,
  aWorkspace,
  custom,
  either,
  isRecord,
  middlewareList,
  milliseconds,
  nonEmptyString,
  objectOf,
  objectWith,
  oneOf,
  required,
  someTools,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import type { RunLimits } from '../limits/run-limits.ts';
import type { SteerQueue } from '../steer-queue.ts';
import type { AllowedTools, RetryOptions, RunAgentOptions } from './agent-options.ts';
import type { CompletionGate } from './completion-gate.ts';
import type { OutputOptions } from './output-options.ts';

const aboveZero = aNumber({ above: 0 });
const aList = custom<readonly unknown[]>('a list of content parts', Array.isArray);
const callList = arrayOf(
  objectOf<Pick<MessageToolCall, 'id' | 'name'>>(
    { id: required(aString), name: required(aString) },
    '{ id, name, arguments }',
    'allowed',
  ),
  'a list of { id, name, arguments }',
);
/** Required members of a message, by role. */
const messages: Readonly<Record<Message['role'], OptionKind<never>>> = {
  system: objectOf<{ content: string }>({ content: required(aString) }, '{ role, content }', 'allowed'),
  user: objectOf<{ content: string | readonly unknown[] }>(
    { content: required(either(aString, aList)) },
    '{ role, content }',
    'allowed',
  ),
  assistant: objectOf<{ content: string; toolCalls?: readonly Pick<MessageToolCall, 'id' | 'name'>[] }>(
    { content: required(aString), toolCalls: callList },
    '{ role, content }',
    'allowed',
  ),
  tool: objectOf<{ callId: string; content: readonly unknown[] }>(
    { callId: required(aString), content: required(aList) },
    '{ role, callId, content }',
    'allowed',
  ),
};
const withRole = objectOf<{ role: Message['role'] }>(
  { role: required(oneOf('system', 'user', 'assistant', 'tool')) },
  '{ role, content }',
  'allowed',
);
const aMessage: OptionKind<Message> = {
  expected: 'a message with role and content',
  findFault: (value, path) =>
    withRole.findFault(value, path) ?? messages[(value as Message).role].findFault(value, path),
};

/** Not copied, because a gate may have state. */
const completion = objectOf<CompletionGate>(
  { name: required(aString), attempts: anInteger({ min: 0 }), check: required(aFunction) },
  'a gate such as requireWork() returns',
  'allowed',
);

export const tracingKind: OptionKind<RunTracing> = objectWith<RunTracing>(
  'a RunTracing such as createTracing() of @haft/otel',
  'startStep',
);

export const limitKind: OptionKind<RunLimits> = objectOf<RunLimits>(
  { toolCalls: aboveZero, tokens: aboveZero, costUsd: aboveZero, wallTimeMs: aboveZero, lastAnswerMs: aboveZero },
  '{ toolCalls: 50, costUsd: 1 }',
);

export const allowKind: OptionKind<AllowedTools> = objectOf<AllowedTools>(
  { providers: arrayOf(aString, 'a list of provider paths'), tools: arrayOf(aString, 'a list of names') },
  '{ providers: ["builtin"], tools: ["read"] }',
);

/** Kind of each option of a run. */
export const runOptionKinds: OptionTable<RunAgentOptions> = {
  model: required(aModel),
  tools: someTools,
  prompt: aString,
  messages: arrayOf(aMessage, 'a list of messages'),
  systemPrompt: aString,
  maxToolIterations: anInteger({ min: 0 }),
  onLimit: oneOf('finish', 'error'),
  throwOnError: aBoolean,
  limits: limitKind,
  costOf: aFunction,
  allow: allowKind,
  requiredTools: arrayOf(aString, 'a list of names'),
  output: objectOf<OutputOptions>(
    {
      schema: required(anyValue),
      strategy: either(oneOf('native', 'tool', 'two-phase'), aFunction),
      maxAnswers: aboveZero,
    },
    '{ schema, strategy: "tool" }',
  ),
  completion,
  textCalls: oneOf('extract', 'ignore'),
  shapeHistory: aFunction,
  onEvent: aFunction,
  onToolResult: aFunction,
  steer: objectWith<SteerQueue>('a queue such as createSteerQueue() returns', 'steer', 'drain'),
  turnHooks: arrayOf(custom('an object', isRecord), 'a list of { name, beforeTurn?, afterTurn? }'),
  turnHookTimeoutMs: milliseconds,
  signal: anAbortSignal,
  forceSignal: anAbortSignal,
  idleTimeoutMs: milliseconds,
  requestTimeoutMs: milliseconds,
  retries: objectOf<RetryOptions>(
    { attempts: aNumber({ min: 0 }), delayMs: aNumber({ min: 0 }), maxDelayMs: aNumber({ min: 0 }) },
    '{ attempts: 3 }',
  ),
  temperature: aNumber(),
  maxOutputTokens: aboveZero,
  mode: oneOf('leases', 'reads-then-writes', 'parallelizable', 'serial'),
  maxParallel: aNumber({ min: 1 }),
  onDenied: oneOf('continue', 'skip', 'stop'),
  toolTimeoutMs: milliseconds,
  tracing: tracingKind,
  agentName: nonEmptyString,
  session: aSession,
  sessionId: aString,
  runId: aString,
  permission: aPermissionEngine,
  workspace: aWorkspace,
  errors: oneOf('message', 'redact'),
  observer: aFunction,
  middleware: middlewareList,
};
