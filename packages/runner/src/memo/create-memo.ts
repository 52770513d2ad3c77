import { failure, toolError, type AnyTool, type CallInfo, type DispatchMiddleware, type ToolResult } from '@haft/core';
import { functionKind, numberKind, checkOptions, oneOf, type OptionTable } from '@haft/core/options';
import { processEffects } from '@haft/core/results';
import { callSignature } from './call-signature.ts';
import { canMemoize, mayHaveEffects } from './can-memoize.ts';
import { copyForStorage, recallResult } from './recall-result.ts';
import { taskOf } from './memo-task.ts';

/** Options of {@link createMemo}. */
export interface MemoOptions {
  /**
   * Answer to a repeated call. `serve`: the earlier answer. `nudge`: the earlier answer with, from the second repeat
   * on, a note that nothing has changed. `reject`: the earlier answer once, then `REPEATED_CALL`. Default `serve`.
   */
  readonly repeats?: 'serve' | 'nudge' | 'reject';
  /** Selects the calls to remember. Default: pure tools, and read-only tools whose footprint contains only files. */
  readonly memoize?: (tool: AnyTool, args: unknown) => boolean;
  /** Maximum number of stored answers per task; the least recently used is dropped. Default 200. */
  readonly maxEntries?: number;
}

/** Middleware that answers repeated calls from memory. */
export interface Memo extends DispatchMiddleware {
  /** Drops every answer that depends on files. Call it when a journal or a watcher detects a change. */
  invalidate(): void;
  /** Drops the answers of a task. `runAgent` calls it after a run. */
  forgetTask(taskId: string): void;
  /** Returns the number of answers from memory, and the number of calls that ran and were remembered. */
  stats(): { readonly hits: number; readonly misses: number };
}

interface Entry {
  /** Number of changes that were detected before the call started. */
  readonly epoch: number;
  /** True if no change invalidates the answer. */
  readonly isPure: boolean;
  /** Undefined if the call failed. */
  readonly answer: Promise<ToolResult | undefined>;
  repeats: number;
}

const table: OptionTable<MemoOptions> = {
  repeats: oneOf('serve', 'nudge', 'reject'),
  memoize: functionKind,
  maxEntries: numberKind({ min: 1 }),
};

/**
 * Creates a memo: middleware that answers permitted calls from memory. Put it first; a hit skips everything after it,
 * including guardrails and their budgets. Equal concurrent calls run once. Remembers only successes of one task. A call
 * that may change something clears the memory at its start and end, successful or not. While such calls or background
 * processes run, nothing is remembered.
 *
 * @throws HaftError `INVALID_OPTION` for invalid options.
 */
export function createMemo(options: MemoOptions = {}): Memo {
  checkOptions('createMemo', options, table, '{ repeats: "nudge" }');
  const { repeats = 'serve', memoize = canMemoize, maxEntries = 200 } = options;
  const tasks = new Map<string, Map<string, Entry>>();
  /** Tasks with background processes. */
  const tasksWithProcesses = new Set<string>();
  let epoch = 0;
  let changing = 0;
  let hits = 0;
  let misses = 0;

  const isQuiet = (): boolean => changing === 0 && tasksWithProcesses.size === 0;
  const isValid = (entry: Entry): boolean => entry.isPure || (entry.epoch === epoch && isQuiet());

  const watch = async (info: CallInfo, next: () => Promise<ToolResult>): Promise<ToolResult> => {
    epoch += 1;
    changing += 1;
    try {
      const result = await next();
      if (processEffects(result).some(({ background }) => background)) tasksWithProcesses.add(taskOf(info));
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
      (result) => (result.ok ? copyForStorage(result) : undefined),
      () => undefined,
    );
    const entry: Entry = { epoch, isPure: info.tool.traits.pure, answer, repeats: 0 };
    misses += 1;
    entries.set(signature, entry);
    for (const [oldest] of entries) {
      if (entries.size <= maxEntries) break;
      entries.delete(oldest);
    }
    const isStored = (await answer) !== undefined && isValid(entry);
    if (!isStored && entries.get(signature) === entry) entries.delete(signature);
    return running;
  };

  return {
    name: 'memo',
    async around(info, next) {
      if (mayHaveEffects(info.tool)) return watch(info, next);
      const signature = memoize(info.tool, info.arguments) ? callSignature(info.call.name, info.arguments) : undefined;
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
        // Runs the call, because the earlier call failed or a change has invalidated its answer.
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
      tasksWithProcesses.delete(taskId);
    },
    stats: () => ({ hits, misses }),
  };
}

const nudge = 'this is the answer to your earlier identical call; nothing has changed since, so use it';

function rejectRepeat({ call }: CallInfo): ToolResult {
  const error = toolError(
    'REPEATED_CALL',
    `${call.name} was called with these arguments before, and nothing has changed`,
    {
      hint: 'Use the earlier answer, or call with other arguments.',
    },
  );
  return failure(call.id, error);
}
