import { failure, toolError, type AnyTool, type CallInfo, type DispatchMiddleware, type ToolResult } from '@haft/core';
import { aFunction, aNumber, checkOptions, oneOf, type OptionTable } from '@haft/core/options';
import { processEffects } from '@haft/core/results';
import { callSignature } from './call-signature.ts';
import { canMemoise, mayHaveEffects } from './can-memoise.ts';
import { keepResult, recallResult } from './recall-result.ts';
import { taskOf } from './task-of.ts';

/** How a memo answers. */
export interface MemoOptions {
  /**
   * What a repeated call gets: `serve` the earlier answer; `nudge` the earlier answer and, from the second repeat on, a
   * note that nothing has changed; `reject` the earlier answer once, and then `REPEATED_CALL`. Default `serve`.
   */
  readonly repeats?: 'serve' | 'nudge' | 'reject';
  /** Which calls are remembered. Default: those of pure tools, and of read-only ones whose footprint is files alone. */
  readonly memoise?: (tool: AnyTool, args: unknown) => boolean;
  /** How many answers of one task are kept, the latest used; default 200. */
  readonly maxEntries?: number;
}

/** Middleware that answers repeated calls from memory. */
export interface Memo extends DispatchMiddleware {
  /** Forgets every answer that rests on the world: for a journal, a watcher, or whatever sees that something changed. */
  invalidate(): void;
  /** Forgets what belongs to a task; `runAgent` says so of its runs. */
  forgetTask(taskId: string): void;
  /** Answers given from memory, and calls that were run and remembered. */
  stats(): { readonly hits: number; readonly misses: number };
}

interface Entry {
  /** Counts the changes of the world that had been seen when the call began. */
  readonly epoch: number;
  /** Nothing that changes makes it untrue. */
  readonly isTimeless: boolean;
  /** Nothing, when the call failed. */
  readonly answer: Promise<ToolResult | undefined>;
  repeats: number;
}

const table: OptionTable<MemoOptions> = {
  repeats: oneOf('serve', 'nudge', 'reject'),
  memoise: aFunction,
  maxEntries: aNumber({ min: 1 }),
};

/**
 * Makes a memo: middleware, so that a call has passed permission before it is answered from memory. Put it first: what
 * stands after it, guardrails and their budgets too, is spared by a hit. Calls that are the same at the same time run
 * once. Only successes are remembered, for one task; any call that may change something makes them be forgotten, as it
 * begins and as it ends, whether it succeeds or not; while such calls or background processes run, nothing is remembered.
 *
 * @throws HaftError `INVALID_OPTION` for options that can't work.
 */
export function createMemo(options: MemoOptions = {}): Memo {
  checkOptions('createMemo', options, table, '{ repeats: "nudge" }');
  const { repeats = 'serve', memoise = canMemoise, maxEntries = 200 } = options;
  const tasks = new Map<string, Map<string, Entry>>();
  /** Tasks that have started processes which go on by themselves. */
  const restless = new Set<string>();
  let epoch = 0;
  let changing = 0;
  let hits = 0;
  let misses = 0;

  const isQuiet = (): boolean => changing === 0 && restless.size === 0;
  const isValid = (entry: Entry): boolean => entry.isTimeless || (entry.epoch === epoch && isQuiet());

  const watch = async (info: CallInfo, next: () => Promise<ToolResult>): Promise<ToolResult> => {
    epoch += 1;
    changing += 1;
    try {
      const result = await next();
      if (processEffects(result).some(({ background }) => background)) restless.add(taskOf(info));
      return result;
    } finally {
      changing -= 1;
      epoch += 1;
    }
  };

  const remember = async (
    info: CallInfo,
    entries: Map<string, Entry>,
    signature: string,
    next: () => Promise<ToolResult>,
  ): Promise<ToolResult> => {
    const running = next();
    const answer = running.then(
      (result) => (result.ok ? keepResult(result) : undefined),
      () => undefined,
    );
    const entry: Entry = { epoch, isTimeless: info.tool.traits.pure, answer, repeats: 0 };
    misses += 1;
    entries.set(signature, entry);
    for (const [oldest] of entries) {
      if (entries.size <= maxEntries) break;
      entries.delete(oldest);
    }
    const isKept = (await answer) !== undefined && isValid(entry);
    if (!isKept && entries.get(signature) === entry) entries.delete(signature);
    return running;
  };

  return {
    name: 'memo',
    async around(info, next) {
      if (mayHaveEffects(info.tool)) return watch(info, next);
      const signature = memoise(info.tool, info.arguments) ? callSignature(info.call.name, info.arguments) : undefined;
      if (signature === undefined) return next();
      const taskId = taskOf(info);
      const entries = tasks.get(taskId) ?? new Map<string, Entry>();
      tasks.set(taskId, entries);
      const entry = entries.get(signature);
      if (entry && isValid(entry)) {
        entry.repeats += 1;
        const nth = entry.repeats;
        entries.delete(signature);
        entries.set(signature, entry);
        const earlier = await entry.answer;
        // One that failed meanwhile, or was overtaken by a change, is no answer.
        if (!earlier || !isValid(entry)) return next();
        hits += 1;
        if (repeats === 'reject' && nth > 1) return rejectRepeat(info);
        return recallResult(earlier, info.call.id, repeats === 'nudge' && nth > 1 ? nudge : undefined);
      }
      return remember(info, entries, signature, next);
    },
    invalidate() {
      epoch += 1;
    },
    forgetTask(taskId) {
      tasks.delete(taskId);
      restless.delete(taskId);
    },
    stats: () => ({ hits, misses }),
  };
}

const nudge =
  'this is the answer to the same call that you made before; nothing has changed since, so work with what you have';

function rejectRepeat({ call }: CallInfo): ToolResult {
  const error = toolError(
    'REPEATED_CALL',
    `${call.name} was called with these arguments before, and nothing has changed`,
    {
      hint: 'Use the answer you have already, or call with other arguments.',
    },
  );
  return failure(call.id, error);
}
