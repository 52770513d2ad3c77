import type { ModelMessage } from 'ai';
import type { ContentPart, Message, MessageToolCall } from '@haft/core';
import { fromBase64 } from './to-base64.ts';
import { toPrompt } from './to-prompt.ts';

/**
 * A conversation as `generateText` and `streamText` take it. Media of tool results stay inside the results; reasoning is
 * left out, since vendors want it back only with their own signature.
 */
export function toAiSdkMessages(messages: readonly Message[]): ModelMessage[] {
  return toPrompt(messages, { mediaInResults: 'inline' });
}

type Part = Exclude<Exclude<ModelMessage, { role: 'system' }>['content'], string>[number];
type ResultPart = Extract<Part, { readonly type: 'tool-result' }>;

/**
 * A conversation of the AI SDK as Haft's loop takes it. Kept are text, reasoning, calls, results, images and sounds
 * that are there as bytes; other files become resources, those behind a URL a line that names them; approvals have no counterpart.
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
  readonly filename?: unknown;
}

function toContent(part: AnyContent): readonly ContentPart[] {
  if (part.type === 'text' && typeof part.text === 'string') return [{ type: 'text', text: part.text }];
  const held = untag(part.data ?? part.image ?? part.url);
  if (held.text !== undefined) return [{ type: 'text', text: held.text }];
  const { data } = held;
  const mediaType =
    typeof part.mediaType === 'string' ? part.mediaType : part.type.startsWith('image') ? 'image/*' : '';
  if (data && mediaType.startsWith('image/')) return [{ type: 'image', data, mediaType }];
  if (data && mediaType.startsWith('audio/')) return [{ type: 'audio', data, mediaType }];
  return data ? [fileOf(part, data, mediaType)] : [];
}

/** A file has no part of its own in Haft's messages; as a resource it is named to models, and can be read by programs. */
function fileOf({ filename }: AnyContent, data: Uint8Array, type: string): ContentPart {
  const name = typeof filename === 'string' && filename !== '' ? filename : 'file';
  return {
    type: 'resource',
    resource: { uri: `attachment:${encodeURIComponent(name)}`, name, type, read: () => data },
  };
}

/** What a part holds: bytes, text, or the name of something elsewhere as text. */
interface Held {
  readonly data?: Uint8Array | undefined;
  readonly text?: string;
}

function untag(value: unknown): Held {
  if (value instanceof Uint8Array) return { data: value };
  if (value instanceof ArrayBuffer) return { data: new Uint8Array(value) };
  if (value instanceof URL) return untag(value.href);
  if (typeof value === 'string') {
    if (/^https?:/.test(value)) return { text: `[file ${value}]` };
    return { data: fromBase64(value.replace(/^data:[^,]{0,200},/, '')) };
  }
  if (typeof value !== 'object' || value === null) return {};
  const { type, data, text, url } = value as {
    readonly type?: unknown;
    readonly data?: unknown;
    readonly text?: unknown;
    readonly url?: unknown;
  };
  if (type === 'text' && typeof text === 'string') return { text };
  return type === 'data' || type === 'url' ? untag(data ?? url) : {};
}
