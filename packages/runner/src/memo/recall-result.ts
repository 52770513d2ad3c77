import type { ContentPart, ToolResult } from '@haft/core';

/** An answer to keep: whoever holds the first one can't change it any more. */
export function keepResult(result: ToolResult): ToolResult {
  return {
    ...result,
    content: result.content.map(copyPart),
    ...(result.structured !== undefined && { structured: copyValue(result.structured) }),
    metadata: { ...result.metadata },
    advisories: [...result.advisories],
  };
}

/**
 * The earlier answer as that of another call: its own id, copies of what could be changed, no effects, since nothing was
 * done, and `metadata.cacheHit`.
 */
export function recallResult(earlier: ToolResult, callId: string, note: string | undefined): ToolResult {
  return {
    ...keepResult(earlier),
    callId,
    effects: [],
    metadata: { ...earlier.metadata, cacheHit: true },
    advisories: note === undefined ? [...earlier.advisories] : [...earlier.advisories, note],
  };
}

function copyPart(part: ContentPart): ContentPart {
  if (part.type === 'json') return { ...part, value: copyValue(part.value) };
  return part.type === 'image' || part.type === 'audio' ? { ...part, data: part.data.slice() } : { ...part };
}

function copyValue(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
