import type { Message, MessageToolCall, RunLog } from '@haft/core';
import type { RunTracing } from '@haft/core/events';
import {
  booleanKind,
  functionKind,
  modelKind,
  abortSignalKind,
  integerKind,
  numberKind,
  anyKind,
  permissionEngineKind,
  arrayOf,
  sessionKind,
  stringKind,
  workspaceKind,
  custom,
  either,
  isRecord,
  middlewareListKind,
  millisecondsKind,
  nonEmptyStringKind,
  objectOf,
  objectWith,
  oneOf,
  required,
  toolsKind,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import type { RunLimits } from '../limits/run-limits.ts';
import type { SteerQueue } from '../steer-queue.ts';
import type { AllowedTools, RetryOptions, RunAgentOptions } from './agent-options.ts';
import type { CompletionGate } from '../contracts/completion-gate.ts';
import type { OutputOptions } from './output-options.ts';

const aboveZero = numberKind({ above: 0 });
const listKind = custom<readonly unknown[]>('a list of content parts', Array.isArray);
const callList = arrayOf(
  objectOf<Pick<MessageToolCall, 'id' | 'name'>>(
    { id: required(stringKind), name: required(stringKind) },
    '{ id, name, arguments }',
    'allowed',
  ),
  'a list of { id, name, arguments }',
);
/** Required members of a message, by role. */
const messages: Readonly<Record<Message['role'], OptionKind<never>>> = {
  system: objectOf<{ content: string }>({ content: required(stringKind) }, '{ role, content }', 'allowed'),
  user: objectOf<{ content: string | readonly unknown[] }>(
    { content: required(either(stringKind, listKind)) },
    '{ role, content }',
    'allowed',
  ),
  assistant: objectOf<{ content: string; toolCalls?: readonly Pick<MessageToolCall, 'id' | 'name'>[] }>(
    { content: required(stringKind), toolCalls: callList },
    '{ role, content }',
    'allowed',
  ),
  tool: objectOf<{ callId: string; content: readonly unknown[] }>(
    { callId: required(stringKind), content: required(listKind) },
    '{ role, callId, content }',
    'allowed',
  ),
};
const withRole = objectOf<{ role: Message['role'] }>(
  { role: required(oneOf('system', 'user', 'assistant', 'tool')) },
  '{ role, content }',
  'allowed',
);
const messageKind: OptionKind<Message> = {
  expected: 'a message with role and content',
  findFault: (value, path) =>
    withRole.findFault(value, path) ?? messages[(value as Message).role].findFault(value, path),
};

/** Not copied, because a gate may have state. */
const completion = objectOf<CompletionGate>(
  { name: required(stringKind), maxReminders: integerKind({ min: 0 }), check: required(functionKind) },
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
  { providers: arrayOf(stringKind, 'a list of provider paths'), tools: arrayOf(stringKind, 'a list of names') },
  '{ providers: ["builtin"], tools: ["read"] }',
);

/** Kind of each option of a run. */
export const runOptionKinds: OptionTable<RunAgentOptions> = {
  model: required(modelKind),
  tools: toolsKind,
  prompt: stringKind,
  messages: arrayOf(messageKind, 'a list of messages'),
  systemPrompt: stringKind,
  maxToolIterations: integerKind({ min: 0 }),
  onLimit: oneOf('finish', 'error'),
  throwOnError: booleanKind,
  limits: limitKind,
  costOf: functionKind,
  allow: allowKind,
  requiredTools: arrayOf(stringKind, 'a list of names'),
  output: objectOf<OutputOptions>(
    {
      schema: required(anyKind),
      strategy: either(oneOf('native', 'tool', 'two-phase'), functionKind),
      maxAnswers: aboveZero,
    },
    '{ schema, strategy: "tool" }',
  ),
  completion,
  textCalls: oneOf('extract', 'ignore'),
  shapeHistory: functionKind,
  onEvent: functionKind,
  onToolResult: functionKind,
  steer: objectWith<SteerQueue>('a queue such as createSteerQueue() returns', 'steer', 'drain'),
  turnHooks: arrayOf(custom('an object', isRecord), 'a list of { name, beforeTurn?, afterTurn? }'),
  turnHookTimeoutMs: millisecondsKind,
  signal: abortSignalKind,
  forceSignal: abortSignalKind,
  idleTimeoutMs: millisecondsKind,
  requestTimeoutMs: millisecondsKind,
  retries: objectOf<RetryOptions>(
    { max: numberKind({ min: 0 }), delayMs: numberKind({ min: 0 }), maxDelayMs: numberKind({ min: 0 }) },
    '{ max: 3 }',
  ),
  temperature: numberKind(),
  maxOutputTokens: aboveZero,
  thinking: booleanKind,
  thinkingBudget: numberKind({ min: 0 }),
  mode: oneOf('leases', 'reads-then-writes', 'parallelizable', 'serial'),
  maxParallel: numberKind({ min: 1 }),
  maxTurnResultCharacters: aboveZero,
  onDenied: oneOf('continue', 'skip', 'stop'),
  toolTimeoutMs: millisecondsKind,
  tracing: tracingKind,
  agentName: nonEmptyStringKind,
  log: objectWith<RunLog>('a log with read, ask, answer and complete', 'read', 'ask', 'answer', 'complete'),
  session: sessionKind,
  sessionId: stringKind,
  runId: stringKind,
  permission: permissionEngineKind,
  workspace: workspaceKind,
  locale: oneOf('en', 'zh'),
  errors: oneOf('message', 'redact'),
  observer: functionKind,
  middleware: middlewareListKind,
};
