import type { LanguageModelV4ReasoningPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { RememberedCall } from '../messages/to-prompt.ts';

/**
 * Stores vendor data of reasoning and calls (signatures, item ids), which the next request must repeat, and for which
 * Haft's messages have no member. Holds the newest calls up to a capacity.
 */
export interface CallMemory {
  remember(
    calls: readonly { readonly id: string; readonly metadata: SharedV4ProviderMetadata | undefined }[],
    reasoning: readonly LanguageModelV4ReasoningPart[],
  ): void;
  recall(callId: string): RememberedCall | undefined;
}

/** Creates an empty memory. */
export function createCallMemory(capacity = 10_000): CallMemory {
  const known = new Map<string, RememberedCall>();
  return {
    remember(calls, reasoning) {
      for (const [index, { id, metadata }] of calls.entries()) {
        known.delete(id);
        known.set(id, { reasoning: index === 0 ? reasoning : [], providerOptions: metadata });
      }
      for (const id of known.keys()) {
        if (known.size <= capacity) break;
        known.delete(id);
      }
    },
    recall: (callId) => known.get(callId),
  };
}
