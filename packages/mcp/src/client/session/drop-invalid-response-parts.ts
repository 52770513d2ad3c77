import { isRecord } from '@haft/core/options';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { Report } from '../../connection-diagnostic.ts';
import { wrapTask } from '../../tasks/follow-task.ts';

const contentTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/**
 * Removes parts of a response that would make the SDK reject all of it: tools without an object schema and content
 * blocks of unknown types.
 */
export function dropInvalidParts(message: JSONRPCMessage, report: Report): JSONRPCMessage {
  const { result } = message as { readonly result?: unknown };
  if (!isRecord(result)) return message;
  if (result['resultType'] === 'task') return { ...message, result: wrapTask(result) };
  const { tools, content } = result;
  if (Array.isArray(tools)) {
    const good = tools.filter((tool) => isUsableTool(tool, report));
    return { ...message, result: { ...result, tools: good } };
  }
  if (Array.isArray(content) && !content.every(isKnownBlock)) {
    return { ...message, result: { ...result, content: content.map(replaceUnknownBlock) } };
  }
  return message;
}

function isUsableTool(tool: unknown, report: Report): boolean {
  if (!isRecord(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') {
    report({ kind: 'invalid-tool', message: 'a tool without a name was skipped' });
    return false;
  }
  const { name, inputSchema } = tool;
  if (!isRecord(inputSchema) || inputSchema['type'] !== 'object') {
    report({
      kind: 'invalid-tool',
      tool: name,
      message: `${cleanLine(name, 80)} was skipped: its input schema does not describe an object`,
    });
    return false;
  }
  return true;
}

function isKnownBlock(block: unknown): boolean {
  if (!isRecord(block) || !contentTypes.has(block['type'])) return false;
  if (block['type'] === 'text') return typeof block['text'] === 'string';
  if (block['type'] === 'resource') return isRecord(block['resource']) && typeof block['resource']['uri'] === 'string';
  if (block['type'] === 'resource_link') return typeof block['uri'] === 'string' && typeof block['name'] === 'string';
  return typeof block['data'] === 'string' && typeof block['mimeType'] === 'string';
}

function replaceUnknownBlock(block: unknown): unknown {
  if (isKnownBlock(block)) return block;
  const type = isRecord(block) && typeof block['type'] === 'string' ? cleanLine(block['type'], 40) : typeof block;
  return { type: 'text', text: `[content of unsupported type ${JSON.stringify(type)}]` };
}
