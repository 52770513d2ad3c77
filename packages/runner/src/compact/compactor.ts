import { defineTool, success, type AnyTool, type Message } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { functionKind, numberKind, checkOptions, type OptionTable } from '@haft/core/options';
import type { RunAgentOptions } from '../options/agent-options.ts';
import { compactHistory, compactKinds, type CompactedHistory, type CompactOptions } from './compact-history.ts';

/** Shortens the conversations of sessions on request. */
export interface Compactor {
  /** Requests that a session's conversation is shortened before its next request. Returns whether that is possible. */
  compact(sessionId: string): Promise<{ readonly compacted: boolean }>;
}

/** Conditions and options for shortening an agent's conversation. */
export interface HistoryCompactorOptions extends CompactOptions {
  /**
   * Compacts automatically after a request that used this many tokens, as reported by the vendor. Default: only on
   * request.
   */
  readonly atTokens?: number;
  /** Called after compacting. */
  readonly onCompacted?: (compacted: CompactedHistory) => void;
}

/** A compactor for one conversation, with the option that applies it. */
export interface HistoryCompactor extends Compactor {
  /** Option for `runAgent` and `createAgent`. */
  readonly shapeHistory: NonNullable<RunAgentOptions['shapeHistory']>;
}

const table: OptionTable<HistoryCompactorOptions> = {
  ...compactKinds,
  atTokens: numberKind({ above: 0 }),
  onCompacted: functionKind,
};

/**
 * Creates a compactor for one agent. Pass its `shapeHistory` to the agent and {@link createCompactTool} to the model.
 *
 * @example
 * import { createCompactTool, createHistoryCompactor } from '@haft/runner';
 * createCompactTool(createHistoryCompactor()).name; // => 'compact'
 */
export function createHistoryCompactor(options: HistoryCompactorOptions = {}): HistoryCompactor {
  checkOptions('createHistoryCompactor', options, table, '{ atTokens: 100_000 }');
  const { atTokens = Infinity, onCompacted, ...how } = options;
  const keep = how.keep ?? 6;
  let isAsked = false;
  let latest: readonly Message[] = [];
  return {
    compact() {
      // The current call and its message are not part of the history yet.
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

/**
 * Creates the tool `compact`, with which a model shortens its own conversation. Succeeds if there is nothing to
 * shorten.
 *
 * @example
 * import { createCompactTool, createHistoryCompactor } from '@haft/runner';
 * createCompactTool(createHistoryCompactor()).name; // => 'compact'
 */
export function createCompactTool(compactor: Compactor): AnyTool {
  const tool = defineTool({
    name: 'compact',
    description:
      'Shortens this conversation: a summary replaces its older part before your next message. Call it when much of the earlier conversation no longer matters.',
    traits: { sideEffects: 'none', readOnly: true, idempotent: true, openWorld: false },
    parallelizable: false,
    execute: async (_, { callId, sessionId }) => {
      const { compacted } = await compactor.compact(sessionId);
      const text = compacted
        ? 'A summary now replaces the older part of the conversation.'
        : 'NOTHING_TO_COMPACT: the conversation is already short enough.';
      return success(callId, text, {
        structured: { compacted },
        summary: compacted ? 'Compacted' : 'Nothing to compact',
      });
    },
  });
  return eraseTool(tool);
}
