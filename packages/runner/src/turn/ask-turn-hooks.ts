import { toolError, type TurnHooks } from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { AfterTurn, BeforeTurn, TurnInfo } from '@haft/core/hooks';
import { untilAborted } from '../abortable.ts';
import { report, type RunEnd, type RunState } from '../run/run-state.ts';
import type { AnsweredCall } from './calls/answer-calls.ts';
import type { FoundCalls } from './calls/find-calls.ts';
import type { ModelAnswer } from './model/read-stream.ts';

/**
 * Calls every hook before the request, in order, and adds their notes to the conversation. Ends the run if a hook
 * denies it or fails.
 */
export async function askBeforeTurn(run: RunState, turn: number): Promise<RunEnd | undefined> {
  for (const hooks of run.options.turnHooks ?? []) {
    if (!hooks.beforeTurn) continue;
    const answer = await ask<BeforeTurn>(run, hooks, () => hooks.beforeTurn!(infoOf(run, turn)), 'note');
    if (answer === undefined) continue;
    if ('stopReason' in answer) return answer;
    const content = `Automatic note from ${hooks.name}:\n${answer.change}`;
    run.messages.push({ role: 'user', content });
    report(run, { kind: 'hook', turn, message: `${hooks.name} added a note` });
  }
  return undefined;
}

/** The answer of a turn after the hooks. */
export interface HookedAnswer {
  readonly answer: ModelAnswer;
  readonly text: string;
  readonly end?: RunEnd;
}

/** Calls every hook after the answer, the last one first. Each receives the text of the previous one. */
export async function askAfterTurn(
  run: RunState,
  turn: number,
  answer: ModelAnswer,
  found: FoundCalls,
  answered: readonly AnsweredCall[],
): Promise<HookedAnswer> {
  let { text } = found;
  const { turnHooks = [] } = run.options;
  if (turnHooks.length === 0) return { answer, text };
  const calls = answered.map(({ completed: { result } }) => ({
    id: result.callId,
    name: result.name,
    ok: result.ok,
    ...(result.ok ? {} : { code: result.error.code }),
  }));
  for (const [index] of turnHooks.entries()) {
    const hooks = turnHooks[turnHooks.length - 1 - index];
    if (!hooks?.afterTurn) continue;
    const outcome = { text, finishReason: answer.finishReason, calls };
    const said = await ask<AfterTurn>(run, hooks, () => hooks.afterTurn!(infoOf(run, turn), outcome), 'text');
    if (said === undefined) continue;
    if ('stopReason' in said) return { answer: withText(answer, ''), text: '', end: said };
    text = said.change;
    report(run, { kind: 'hook', turn, message: `${hooks.name} replaced the text of the answer` });
  }
  return { answer: text === found.text ? answer : withText(answer, text), text };
}

/** Calls may also be in the reasoning from which the hook's text was derived. */
function withText(answer: ModelAnswer, text: string): ModelAnswer {
  return { ...answer, text, reasoning: '' };
}

function infoOf({ runId, messages, options }: RunState, turn: number): TurnInfo {
  const sessionId = options.sessionId ?? options.session?.id;
  return {
    runId,
    turn,
    modelName: options.model.name,
    messages: Object.freeze([...messages]),
    ...(sessionId !== undefined && { sessionId }),
  };
}

/** Calls one hook with a timeout. Returns nothing, a change, or the end of the run. */
async function ask<Answer extends BeforeTurn | AfterTurn>(
  run: RunState,
  hooks: TurnHooks,
  work: () => Answer | Promise<Answer>,
  change: 'note' | 'text',
): Promise<RunEnd | { readonly change: string } | undefined> {
  const { signal } = run;
  const { turnHookTimeoutMs = 60_000 } = run.options;
  if (signal?.aborted) return { stopReason: 'aborted' };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${turnHookTimeoutMs} ms`)), turnHookTimeoutMs);
  });
  try {
    const asked = new Promise<Answer>((resolve) => resolve(work()));
    return read(hooks.name, change, await untilAborted(signal, Promise.race([asked, tooLate])));
  } catch (cause) {
    if (signal?.aborted) return { stopReason: 'aborted' };
    const message = `the hook ${hooks.name} failed: ${describeCause(cause)}`;
    return { stopReason: 'error', error: toolError('EXECUTION_ERROR', message, { cause }) };
  } finally {
    clearTimeout(timer);
  }
}

function read(
  name: string,
  change: 'note' | 'text',
  answer: unknown,
): RunEnd | { readonly change: string } | undefined {
  if (answer === undefined || answer === null) return undefined;
  const { deny, [change]: changed } = answer as Readonly<Record<string, unknown>>;
  if (typeof deny === 'string') {
    const denial = { source: 'hook', reason: deny } as const;
    const error = toolError('PERMISSION_DENIED', `${name} ended the run: ${deny}`, { denial });
    return { stopReason: 'denied', error };
  }
  if (typeof changed === 'string') return { change: changed };
  throw new TypeError(`its result is invalid (expected undefined, { deny } or { ${change} })`);
}
