import type { ContentPart, ToolResult } from '@haft/core';

/** Copies an answer for storage, so that the receiver of the original cannot change it. */
export function keepResult(result: ToolResult): ToolResult {
  return {
    ...result,
    content: result.content.map(copyPart),
    ...(result.structured !== undefined && { structured: copyValue(result.structured) }),
    metadata: { ...result.metadata },
    advisories: [...result.advisories],
  };
}

/** Creates the answer of a repeated call: its own id, copies of mutable parts, no effects, and `metadata.cacheHit`. */
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
