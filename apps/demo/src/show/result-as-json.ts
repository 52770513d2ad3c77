import type { ContentPart, ToolResult } from '@haft/core';

/** A result as JSON: bytes as base64, resources by their URI, and no thrown values. */
export function resultAsJson(result: ToolResult): Readonly<Record<string, unknown>> {
  const content = result.content.map(partAsJson);
  if (result.ok) return { ...result, content };
  const { cause: _cause, ...error } = result.error;
  return { ...result, content, error };
}

function partAsJson(part: ContentPart): Readonly<Record<string, unknown>> {
  switch (part.type) {
    case 'image':
    case 'audio':
      return { ...part, data: Buffer.from(part.data).toString('base64') };
    case 'resource': {
      const { uri, name, type } = part.resource;
      return { type: 'resource', resource: { uri, name, type } };
    }
    default:
      return { ...part };
  }
}
