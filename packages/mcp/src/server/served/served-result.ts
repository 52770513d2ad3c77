import { renderForModel, type AnyTool, type ContentPart, type Resource, type ToolResult } from '@haft/core';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';

/** Resources up to this many bytes are embedded; larger ones are linked. */
const maxEmbeddedBytes = 1024 * 1024;

/** Converts a result for an MCP client. A failure becomes an `isError` result with text for the model. */
export function describeResult(
  result: ToolResult,
  tool: AnyTool | undefined,
): CallToolResult | Promise<CallToolResult> {
  // Only resources have to be read asynchronously.
  const content = describeParts(result.ok ? result.content : result.content.filter(isShownOfFailure));
  return content instanceof Promise
    ? content.then((blocks) => describeWith(result, blocks, tool))
    : describeWith(result, content, tool);
}

function isShownOfFailure({ type }: ContentPart): boolean {
  return type === 'image' || type === 'audio';
}

function describeWith(result: ToolResult, content: ContentBlock[], tool: AnyTool | undefined): CallToolResult {
  if (!result.ok) return { content: [{ type: 'text', text: renderForModel(result) }, ...content], isError: true };
  for (const advisory of result.advisories) content.push({ type: 'text', text: `Note: ${advisory}` });
  const structured = asRecord(result.structured);
  if (structured) return { content, structuredContent: structured };
  if (asRecord(tool?.output?.jsonSchema)?.['type'] !== 'object') return { content };
  // Clients reject a successful result without the structured content that the output schema requires.
  return {
    content: [
      { type: 'text', text: 'The tool did not return the structured content that its output schema requires.' },
      ...content,
    ],
    isError: true,
  };
}

/** Converts each content part to a block of the protocol. */
export function describeParts(parts: readonly ContentPart[]): ContentBlock[] | Promise<ContentBlock[]> {
  const blocks = parts.map(describePart);
  return blocks.every(isBlock) ? blocks : Promise.all(blocks.map(async (block) => block));
}

function isBlock(block: ContentBlock | Promise<ContentBlock>): block is ContentBlock {
  return !(block instanceof Promise);
}

function describePart(part: ContentPart): ContentBlock | Promise<ContentBlock> {
  if (part.type === 'resource') return describeResource(part.resource);
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'json') return { type: 'text', text: JSON.stringify(part.value) ?? 'null' };
  return { type: part.type, data: Buffer.from(part.data).toString('base64'), mimeType: part.mediaType };
}

async function describeResource(resource: Resource): Promise<ContentBlock> {
  const type = resource.type === '' ? {} : { mimeType: resource.type };
  const link: ContentBlock = { type: 'resource_link', uri: resource.uri, name: resource.name, ...type };
  try {
    const body = await resource.read();
    if (body.length > maxEmbeddedBytes) return link;
    const content = typeof body === 'string' ? { text: body } : { blob: Buffer.from(body).toString('base64') };
    return { type: 'resource', resource: { uri: resource.uri, ...type, ...content } };
  } catch {
    return link;
  }
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
