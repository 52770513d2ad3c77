import type { ToolError } from '../contracts/results/error.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import type { Logger } from '../contracts/workspace/session.ts';
import type { TurnHooks } from '../contracts/conversation/turn-hooks.ts';
import { describeCause } from '../describe-cause.ts';
import type { CallInfo, DispatchMiddleware, Preparation } from '../contracts/calls/middleware.ts';
import { isUnderProvider, lifecycleProvider } from '../names/provider-path.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { toolError } from '../results/tool-error.ts';
import { failure } from '../results/tool-result.ts';
import { answerInTime } from './hook-answer-in-time.ts';
import type { HookedCall, HookedResult, HookName, HookSet } from './hook-set.ts';
import { readAnswer, type HookAnswer } from './read-hook-answer.ts';
import { replaceText } from './replace-result-text.ts';
import { callInTurn, notifyOutcome, notifyTurn } from './notify-turn-hooks.ts';

/**
 * Runs hooks around every call and every turn: in list order before them, and in reverse order after them. Pass the
 * result to a dispatcher as `middleware`, and to the loop as `turnHooks`.
 *
 * A failing hook (it throws, times out or returns an invalid answer) denies the call or turn, unless the hook is not
 * `required`. A failure results in the error `PLUGIN_FAILED` for a call, and a denial by the hook itself in
 * `PERMISSION_DENIED`.
 *
 * @param hooks returns the current hooks. Called each time, so that hooks can be added and removed.
 * @param logger receives failures of hooks.
 */
export function createHookPipeline(
  name: string,
  hooks: () => readonly HookSet[],
  logger: Logger,
): DispatchMiddleware & TurnHooks {
  /**
   * Returns the answer of one hook, or the reason why it failed. Returns `undefined` if the hook does not exist, or if
   * a hook that is not required fails.
   */
  const ask = async (set: HookSet, hook: HookName, given: readonly unknown[]): Promise<HookAnswer | undefined> => {
    if (!set.names.includes(hook)) return undefined;
    try {
      return readAnswer(hook, await answerInTime(hook, set.timeoutMs, (signal) => set.ask(hook, given, signal)));
    } catch (thrown) {
      const reason = `the hook ${hook} of ${set.owner} failed: ${describeCause(thrown).slice(0, 500)}`;
      logger.warn(reason);
      return set.required ? { failed: reason } : undefined;
    }
  };

  return {
    name,
    async prepare(info): Promise<Preparation> {
      const asked = setsFor(hooks(), info, 'beforeCall');
      if (asked.length === 0) return undefined;
      let args = info.arguments;
      for (const set of asked) {
        const answer = await ask(set, 'beforeCall', [notifyCall(info, args)]);
        if (answer === undefined) continue;
        if ('value' in answer) {
          // The next hook receives the rewritten arguments.
          const checked = await check(info, answer.value);
          if (!checked.ok)
            return {
              reject: broken(
                `the hook beforeCall of ${set.owner} returned invalid arguments for ${info.call.name}: ${checked.why}`,
              ),
            };
          args = checked.value;
        } else return { reject: refusal(info.call.name, set, answer) };
      }
      return args === info.arguments ? undefined : { arguments: args };
    },
    async around(info, next): Promise<ToolResult> {
      const before = await next();
      let result = before;
      for (const set of lastFirst(setsFor(hooks(), info, 'afterCall'))) {
        const answer = await ask(set, 'afterCall', [notifyCall(info, info.arguments), notifyResult(result)]);
        if (answer === undefined) continue;
        if ('value' in answer) result = replaceText(result, answer.value as string);
        else return withheld(before, refusal(info.call.name, set, answer));
      }
      return result;
    },
    async beforeTurn(turn) {
      const notes: string[] = [];
      for (const set of hooks()) {
        const answer = await ask(set, 'beforeTurn', [notifyTurn(turn)]);
        if (answer === undefined) continue;
        if (!('value' in answer)) return endOfRun(set, answer);
        notes.push(answer.value as string);
      }
      return notes.length === 0 ? undefined : { note: notes.join('\n') };
    },
    async afterTurn(turn, outcome) {
      let { text } = outcome;
      for (const set of lastFirst(hooks())) {
        const answer = await ask(set, 'afterTurn', [notifyTurn(turn), notifyOutcome(outcome, text)]);
        if (answer === undefined) continue;
        if (!('value' in answer)) return endOfRun(set, answer);
        text = answer.value as string;
      }
      return text === outcome.text ? undefined : { text };
    },
  };
}

function lastFirst<Item>(items: readonly Item[]): readonly Item[] {
  return items.map((_, index) => items[items.length - 1 - index]!);
}

/** Hooks do not apply to tools that manage plugins, so that a plugin that denies everything can still be reloaded. */
function setsFor(sets: readonly HookSet[], { call, provider }: CallInfo, hook: HookName): readonly HookSet[] {
  if (isUnderProvider(provider, lifecycleProvider)) return [];
  return sets.filter(({ names, tools }) => names.includes(hook) && (tools?.includes(call.name) ?? true));
}

async function check(
  { tool }: CallInfo,
  given: unknown,
): Promise<{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }> {
  await tool.input.ready();
  const checked = await tool.input.validate(given);
  if (checked.ok) return { ok: true, value: checked.value };
  return {
    ok: false,
    why: checked.issues
      .map(({ path, message }) => `${path} ${message}`)
      .join('; ')
      .slice(0, 500),
  };
}

function notifyCall({ call, provider, context }: CallInfo, args: unknown): HookedCall {
  return { id: call.id, name: call.name, provider, arguments: args, ...callInTurn(context) };
}

function notifyResult(result: ToolResult): HookedResult {
  return { ok: result.ok, text: renderForModel(result), ...(result.ok ? {} : { code: result.error.code }) };
}

type Refusal = Exclude<HookAnswer, { readonly value: unknown }>;

function refusal(tool: string, { owner }: HookSet, answer: Refusal): ToolError {
  if ('failed' in answer) return broken(answer.failed);
  const denial = { source: 'hook', reason: answer.deny } as const;
  const hint = "Don't try the same thing another way; ask the user or continue without it.";
  return toolError('PERMISSION_DENIED', `${tool} was refused by ${owner}: ${answer.deny}`, { denial, hint });
}

function broken(message: string): ToolError {
  return toolError('PLUGIN_FAILED', message, { hint: 'Use another tool, or continue without it.' });
}

/** Keeps the effects of the call, because they have already happened, and discards its output. */
function withheld({ callId, name, effects, startedAt, durationMs }: ToolResult, error: ToolError): ToolResult {
  const hint = 'The call has run; its result is withheld. Do not repeat it to see the result.';
  return failure(callId, { ...error, hint }, { name, effects, startedAt, durationMs });
}

function endOfRun({ owner }: HookSet, answer: Refusal): { readonly deny: string } {
  if ('failed' in answer) throw new Error(answer.failed);
  return { deny: `${owner} ended the run: ${answer.deny}` };
}
