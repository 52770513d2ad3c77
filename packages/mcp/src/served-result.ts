import { renderForModel, type AnyTool, type ContentPart, type Resource, type ToolResult } from '@haft/core';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';

/** Resources up to this many bytes are sent along; larger ones are only named. */
const maxEmbeddedBytes = 1024 * 1024;

/** What an MCP client is told of a result. A failure is an `isError` result with the text that a model can act on. */
export async function describeResult(result: ToolResult, tool: AnyTool | undefined): Promise<CallToolResult> {
  if (!result.ok) {
    const pictures = result.content.filter((part) => part.type === 'image' || part.type === 'audio');
    return {
      content: [{ type: 'text', text: renderForModel(result) }, ...(await describeParts(pictures))],
      isError: true,
    };
  }
  const content = await describeParts(result.content);
  for (const advisory of result.advisories) content.push({ type: 'text', text: `Note: ${advisory}` });
  const structured = asRecord(result.structured);
  if (structured) return { content, structuredContent: structured };
  if (asRecord(tool?.output?.jsonSchema)?.['type'] !== 'object') return { content };
  // Clients refuse a success without the structure that the tool has promised.
  return {
    content: [{ type: 'text', text: 'The tool did not return the structured result that it promises.' }, ...content],
    isError: true,
  };
}

/** Says parts as blocks of the protocol, one each. */
export async function describeParts(parts: readonly ContentPart[]): Promise<ContentBlock[]> {
  return Promise.all(parts.map(describePart));
}

async function describePart(part: ContentPart): Promise<ContentBlock> {
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
