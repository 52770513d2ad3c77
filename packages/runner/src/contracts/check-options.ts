import { HaftError, ToolRegistry } from '@haft/core';
import type { RunAgentOptions } from './agent-options.ts';

/**
 * Refuses what no run can be made of, before the model is asked anything.
 * @throws HaftError `INVALID_OPTION`, naming the option, what was expected and what was given.
 */
export function checkRunOptions(options: RunAgentOptions): void {
  expect('its argument', isRecord(options), 'an object such as { model, tools, prompt }', options);
  const { model, prompt, systemPrompt, messages, tools, allow, requiredTools, onLimit, textCalls, retries } = options;
  const isModel = isRecord(model) && typeof model.generate === 'function';
  expect('model', isModel, 'a Model: an object with a name and a method generate, such as fromAiSdkModel(…)', model);
  expect('prompt', isOptional(prompt, isText), 'a string', prompt);
  expect('systemPrompt', isOptional(systemPrompt, isText), 'a string', systemPrompt);
  expect('messages', isOptional(messages, Array.isArray), 'a list of messages', messages);
  for (const [index, message] of (messages ?? []).entries()) checkMessage(message, `messages[${index}]`);
  if (prompt === undefined && (messages ?? []).length === 0)
    throw new HaftError('INVALID_OPTION', 'runAgent needs a prompt, messages, or both');
  expect('tools', isOptional(tools, isTools), 'a registry, a dispatcher or a list of tools', tools);
  expect('allow', isOptional(allow, isAllow), 'an object such as { providers: ["builtin"], tools: ["read"] }', allow);
  expect('requiredTools', isOptional(requiredTools, isTextList), 'a list of names', requiredTools);
  expect('onLimit', isOneOf(onLimit, ['finish', 'error']), '"finish" or "error"', onLimit);
  expect('textCalls', isOneOf(textCalls, ['extract', 'ignore']), '"extract" or "ignore"', textCalls);
  expect('retries', isOptional(retries, isRecord), 'an object such as { attempts: 3 }', retries);
  for (const name of ['onEvent', 'onToolResult'] as const)
    expect(name, isOptional(options[name], isFunction), 'a function', options[name]);
  for (const name of [
    'idleTimeoutMs',
    'requestTimeoutMs',
    'toolTimeoutMs',
    'turnHookTimeoutMs',
    'maxParallel',
  ] as const)
    expect(name, isOptional(options[name], isAboveZero), 'a number above 0', options[name]);
  const { limits } = options;
  expect('limits', isOptional(limits, isRecord), 'an object such as { toolCalls: 50, costUsd: 1 }', limits);
  for (const [name, bound] of Object.entries(limits ?? {})) {
    const isKnown = limitNames.includes(name);
    expect(
      `limits.${name}`,
      isKnown && isOptional(bound, isAboveZero),
      `a number above 0 for one of ${limitNames.join(', ')}`,
      bound,
    );
  }
  const { output } = options;
  const isOutput = isOptional(output, (given) => isRecord(given) && given['schema'] !== undefined);
  expect('output', isOutput, 'an object such as { schema, strategy: "tool" }', output);
  if (typeof output?.strategy !== 'function')
    expect(
      'output.strategy',
      isOneOf(output?.strategy, strategies),
      `one of ${strategies.join(', ')}`,
      output?.strategy,
    );
  expect('output.maxAnswers', isOptional(output?.maxAnswers, isAboveZero), 'a number above 0', output?.maxAnswers);
  expect('shapeHistory', isOptional(options.shapeHistory, isFunction), 'a function', options.shapeHistory);
  expect('costOf', isOptional(options.costOf, isFunction), 'a function', options.costOf);
  const { completion } = options;
  const isGate = isOptional(
    completion,
    (given) => isRecord(given) && isText(given['name']) && isFunction(given['check']),
  );
  expect('completion', isGate, 'a gate such as requireWork() makes', completion);
  const isCount = isOptional(completion?.attempts, (given) => Number.isInteger(given) && Number(given) >= 0);
  expect('completion.attempts', isCount, 'a whole number', completion?.attempts);
  const isHooks = isOptional(options.turnHooks, (given) => Array.isArray(given) && given.every(isRecord));
  expect('turnHooks', isHooks, 'a list of { name, beforeTurn?, afterTurn? }', options.turnHooks);
  const { maxToolIterations: limit } = options;
  const isLimit = isOptional(limit, (given) => Number.isInteger(given) && Number(given) >= 0);
  expect('maxToolIterations', isLimit, 'a whole number of requests', limit);
}

const strategies = ['native', 'tool', 'two-phase'];
const limitNames = ['toolCalls', 'tokens', 'costUsd', 'wallTimeMs', 'lastAnswerMs'];
const roles = ['system', 'user', 'assistant', 'tool'];

function checkMessage(message: unknown, place: string): void {
  expect(place, isRecord(message), 'an object with role and content', message);
  const { role, content, callId, toolCalls } = message as Readonly<Record<string, unknown>>;
  expect(`${place}.role`, roles.includes(role as string), `one of ${roles.join(', ')}`, role);
  if (role === 'tool') {
    expect(`${place}.callId`, isText(callId), 'the id of the call it answers', callId);
    expect(`${place}.content`, Array.isArray(content), 'a list of content parts', content);
    return;
  }
  const isContent = isText(content) || (role === 'user' && Array.isArray(content));
  expect(`${place}.content`, isContent, role === 'user' ? 'a string or a list of content parts' : 'a string', content);
  const hasCalls = isOptional(toolCalls, (calls) => Array.isArray(calls) && calls.every(isCall));
  expect(`${place}.toolCalls`, hasCalls, 'a list of { id, name, arguments }', toolCalls);
}

function isCall(call: unknown): boolean {
  return isRecord(call) && isText(call['id']) && isText(call['name']);
}

function isTools(tools: unknown): boolean {
  return (
    Array.isArray(tools) || tools instanceof ToolRegistry || (isRecord(tools) && isFunction(tools['dispatchBatch']))
  );
}

function isAllow(allow: unknown): boolean {
  return isRecord(allow) && isOptional(allow['providers'], isTextList) && isOptional(allow['tools'], isTextList);
}

function isOptional(given: unknown, isRight: (given: unknown) => boolean): boolean {
  return given === undefined || isRight(given);
}

function isOneOf(given: unknown, known: readonly string[]): boolean {
  return given === undefined || known.includes(given as string);
}

function isText(given: unknown): boolean {
  return typeof given === 'string';
}

function isTextList(given: unknown): boolean {
  return Array.isArray(given) && given.every(isText);
}

function isFunction(given: unknown): boolean {
  return typeof given === 'function';
}

function isAboveZero(given: unknown): boolean {
  return typeof given === 'number' && given > 0;
}

function isRecord(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function expect(name: string, isRight: boolean, expected: string, given: unknown): void {
  if (isRight) return;
  throw new HaftError('INVALID_OPTION', `runAgent: ${name} must be ${expected}, not ${show(given)}`);
}

function show(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 60));
  if (typeof given === 'object' && given !== null) return Array.isArray(given) ? 'a list' : 'an object';
  return typeof given === 'function' ? 'a function' : String(given);
}
