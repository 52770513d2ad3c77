import { createDispatcher, type DispatcherOptions, type ToolSource } from '@haft/core';
import { guardCalls, type GuardMiddleware, type GuardOptions } from './guard-calls.ts';
import type { Guardrail } from './guardrail.ts';

/** What {@link createGuardedSource} takes. */
export interface GuardedSourceOptions extends DispatcherOptions, GuardOptions {
  readonly guardrails: readonly Guardrail[];
}

/** A source whose calls are checked before and after. */
export interface GuardedSource extends ToolSource {
  readonly guards: GuardMiddleware;
  forgetTask(taskId: string): void;
}

/**
 * Makes a dispatcher with {@link guardCalls guardrails} next to the tools. Other middleware stands around them, so that
 * a memo that is given spares them.
 * @throws HaftError `INVALID_OPTION` for options that can't work.
 */
export function createGuardedSource(options: GuardedSourceOptions): GuardedSource {
  const { guardrails, disabled, onVerdict, ...rest } = options;
  const guards = guardCalls(guardrails, { ...(disabled && { disabled }), ...(onVerdict && { onVerdict }) });
  const dispatcher = createDispatcher({ ...rest, middleware: [...(rest.middleware ?? []), guards] });
  return { ...dispatcher, guards, forgetTask: (taskId) => dispatcher.forgetTask(taskId) };
}
