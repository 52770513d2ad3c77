import type { ModelMessage } from 'ai';
import type { ContentPart, Message, MessageToolCall } from '@haft/core';
import { fromBase64 } from './to-base64.ts';
import { toPrompt } from './to-prompt.ts';

/** A conversation as `generateText` and `streamText` take it. Media of tool results stay inside the results. */
export function toAiSdkMessages(messages: readonly Message[]): ModelMessage[] {
  return toPrompt(messages, { mediaInResults: 'inline' });
}

type Part = Exclude<Exclude<ModelMessage, { role: 'system' }>['content'], string>[number];
type ResultPart = Extract<Part, { readonly type: 'tool-result' }>;

/**
 * A conversation of the AI SDK as Haft's loop takes it. Kept are text, reasoning, calls, results, images and sounds
 * that are there as bytes; files behind a URL become a line that names them; approvals have no counterpart.
 */
export function fromAiSdkMessages(messages: readonly ModelMessage[]): Message[] {
  return messages.flatMap(fromMessage);
}

function fromMessage(message: ModelMessage): Message[] {
  if (message.role === 'system') return [{ role: 'system', content: message.content }];
  const parts: readonly Part[] =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  if (message.role === 'user') {
    return [
      { role: 'user', content: typeof message.content === 'string' ? message.content : parts.flatMap(toContent) },
    ];
  }
  const results = parts.filter((part) => part.type === 'tool-result').map(fromResult);
  if (message.role === 'tool') return results;
  const toolCalls = parts.flatMap(toCall);
  const reasoning = join(parts, 'reasoning');
  const assistant: Message = {
    role: 'assistant',
    content: join(parts, 'text'),
    ...(reasoning !== '' && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
  return [assistant, ...results];
}

function toCall(part: Part): readonly MessageToolCall[] {
  return part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }] : [];
}

function join(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}

function fromResult({ toolCallId, toolName, output }: ResultPart): Message {
  const isError = output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied';
  return { role: 'tool', callId: toolCallId, name: toolName, content: fromOutput(output), isError };
}

/** What an AI SDK tool gives a model, as content parts. */
export function fromOutput(output: ResultPart['output']): readonly ContentPart[] {
  if (output.type === 'content') return output.value.flatMap(toContent);
  if (output.type === 'json' || output.type === 'error-json') return [{ type: 'json', value: output.value }];
  const text = output.type === 'execution-denied' ? (output.reason ?? 'The call was not allowed.') : output.value;
  return [{ type: 'text', text }];
}

/** The members by which parts that can be content are told apart, whatever version of the SDK they are from. */
interface AnyContent {
  readonly type: string;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly image?: unknown;
  readonly url?: unknown;
  readonly mediaType?: unknown;
}

function toContent(part: AnyContent): readonly ContentPart[] {
  if (part.type === 'text' && typeof part.text === 'string') return [{ type: 'text', text: part.text }];
  const data = toBytes(part.data ?? part.image);
  const mediaType =
    typeof part.mediaType === 'string' ? part.mediaType : part.type.startsWith('image') ? 'image/*' : '';
  if (data && mediaType.startsWith('image/')) return [{ type: 'image', data, mediaType }];
  if (data && mediaType.startsWith('audio/')) return [{ type: 'audio', data, mediaType }];
  const where = part.url ?? part.data ?? part.image;
  if (where instanceof URL || (typeof where === 'string' && /^https?:/.test(where))) {
    return [{ type: 'text', text: `[file ${String(where)}]` }];
  }
  return data ? [{ type: 'text', text: `[file ${mediaType}, ${data.byteLength} bytes]` }] : [];
}

function toBytes(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (typeof data === 'string') return /^https?:/.test(data) ? undefined : fromBase64(data);
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'data' && 'data' in data)
    return toBytes(data.data);
  return undefined;
}
