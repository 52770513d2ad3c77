import { createDispatcher, type DispatcherOptions, type ToolSource } from '@haft/core';
import { guardCalls, type GuardMiddleware, type GuardOptions } from './guard-calls.ts';
import type { Guardrail } from './guardrail.ts';

/** Options of {@link createGuardedSource}. */
export interface GuardedSourceOptions extends DispatcherOptions, GuardOptions {
  readonly guardrails: readonly Guardrail[];
}

/** A source with guardrails. */
export interface GuardedSource extends ToolSource {
  readonly guards: GuardMiddleware;
  forgetTask(taskId: string): void;
}

/**
 * Creates a dispatcher with {@link guardCalls guardrails} next to the tools. Other middleware wraps them, so a memo hit
 * does not count against budgets.
 *
 * @throws HaftError `INVALID_OPTION` for invalid options.
 * @example
 * import { defineTool } from '@haft/core';
 * import { createGuardedSource, requireSchema } from '@haft/runner';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const guardrails = [requireSchema({ ping: { type: 'object', required: ['reason'] } })];
 * const { dispatch } = createGuardedSource({ registry: [ping], guardrails });
 * (await dispatch({ id: 'call_1', name: 'ping', arguments: {} })).ok; // => false
 */
export function createGuardedSource(options: GuardedSourceOptions): GuardedSource {
  const { guardrails, disabled, onVerdict, ...rest } = options;
  const guards = guardCalls(guardrails, { ...(disabled && { disabled }), ...(onVerdict && { onVerdict }) });
  const dispatcher = createDispatcher({ ...rest, middleware: [...(rest.middleware ?? []), guards] });
  return { ...dispatcher, guards, forgetTask: (taskId) => dispatcher.forgetTask(taskId) };
}
