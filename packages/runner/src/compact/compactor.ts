import { defineTool, success, type AnyTool, type Message } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { aFunction, aNumber, checkOptions, type OptionTable } from '@haft/core/options';
import type { RunAgentOptions } from '../contracts/agent-options.ts';
import { compactHistory, compactKinds, type CompactedHistory, type CompactOptions } from './compact-history.ts';

/** Shortens the conversations of sessions when asked. */
export interface Compactor {
  /** Sees to it that the conversation of a session is shortened before its next request. Answers whether it can be. */
  compact(sessionId: string): Promise<{ readonly compacted: boolean }>;
}

/** When and how an agent's conversation is shortened. */
export interface HistoryCompactorOptions extends CompactOptions {
  /** Shortens by itself once a request took so many tokens, as the vendor reports them; default: only when asked. */
  readonly atTokens?: number;
  /** Hears of what was done. */
  readonly onCompacted?: (compacted: CompactedHistory) => void;
}

/** A compactor for one conversation, and the option that carries it out. */
export interface HistoryCompactor extends Compactor {
  /** For `runAgent` and `createAgent`. */
  readonly shapeHistory: NonNullable<RunAgentOptions['shapeHistory']>;
}

const table: OptionTable<HistoryCompactorOptions> = {
  ...compactKinds,
  atTokens: aNumber({ above: 0 }),
  onCompacted: aFunction,
};

/** Makes a compactor for one agent: give its `shapeHistory` to the agent and the tool of {@link createCompactTool} to the model. */
export function createHistoryCompactor(options: HistoryCompactorOptions = {}): HistoryCompactor {
  checkOptions('createHistoryCompactor', options, table, '{ atTokens: 100_000 }');
  const { atTokens = Infinity, onCompacted, ...how } = options;
  const keep = how.keep ?? 6;
  let isAsked = false;
  let latest: readonly Message[] = [];
  return {
    compact() {
      // The call itself and its message are still to come.
      isAsked = latest.length > keep + 2;
      return Promise.resolve({ compacted: isAsked });
    },
    async shapeHistory(messages, { usage }) {
      latest = messages;
      const isDue = isAsked || (usage.inputTokens ?? usage.totalTokens ?? 0) >= atTokens;
      if (!isDue) return undefined;
      isAsked = false;
      const compacted = await compactHistory(messages, how);
      if (compacted.removed === 0) return undefined;
      latest = compacted.messages;
      onCompacted?.(compacted);
      return compacted.messages;
    },
  };
}

/** Makes the tool `compact`, by which a model has its conversation shortened. With nothing to shorten it says so; that is no failure. */
export function createCompactTool(compactor: Compactor): AnyTool {
  const tool = defineTool({
    name: 'compact',
    description:
      'Shortens this conversation: its older part gives way to a summary before your next message. Call it when much of what came before no longer matters.',
    traits: { sideEffects: 'none', readOnly: true, idempotent: true, openWorld: false },
    parallelizable: false,
    execute: async (_, { callId, sessionId }) => {
      const { compacted } = await compactor.compact(sessionId);
      const text = compacted
        ? 'The older part of the conversation gives way to a summary now.'
        : 'NOTHING_TO_COMPACT: the conversation is short enough as it is.';
      return success(callId, text, {
        structured: { compacted },
        summary: compacted ? 'Compacted' : 'Nothing to compact',
      });
    },
  });
  return eraseTool(tool);
}
