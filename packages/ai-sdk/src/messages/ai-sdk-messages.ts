import type { ModelMessage } from 'ai';
import type { ContentPart, Message, MessageToolCall } from '@haft/core';
import { fromBase64 } from './to-base64.ts';
import { toPrompt } from './to-prompt.ts';

/**
 * Converts a conversation for `generateText` and `streamText`. Media of tool results stay in the results. Reasoning is
 * dropped, because vendors accept it only with their own signature.
 *
 * @example
 * import { toAiSdkMessages } from '@haft/ai-sdk';
 * toAiSdkMessages([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]); // => [{ role: 'user', content: [ { type: 'text', text: 'Hello' } ] }]
 */
export function toAiSdkMessages(messages: readonly Message[]): ModelMessage[] {
  return toPrompt(messages, { mediaInResults: 'inline' });
}

type Part = Exclude<Exclude<ModelMessage, { role: 'system' }>['content'], string>[number];
type ResultPart = Extract<Part, { readonly type: 'tool-result' }>;

/**
 * Converts a conversation of the AI SDK. Keeps text, reasoning, calls, results, and images and audio given as bytes.
 * Other files become resources, and files behind URLs become a line of text. Approvals have no counterpart and are
 * dropped.
 *
 * @example
 * import { fromAiSdkMessages } from '@haft/ai-sdk';
 * fromAiSdkMessages([{ role: 'user', content: 'Hello' }]); // => [{ role: 'user', content: 'Hello' }]
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

/** Converts the model output of an AI SDK tool to content parts. */
export function fromOutput(output: ResultPart['output']): readonly ContentPart[] {
  if (output.type === 'content') return output.value.flatMap(toContent);
  if (output.type === 'json' || output.type === 'error-json') return [{ type: 'json', value: output.value }];
  const text = output.type === 'execution-denied' ? (output.reason ?? 'The call was not allowed.') : output.value;
  return [{ type: 'text', text }];
}

/** The members that distinguish content parts in every version of the AI SDK. */
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
  const value = readFileValue(part.data ?? part.image ?? part.url);
  if (value.text !== undefined) return [{ type: 'text', text: value.text }];
  const { data } = value;
  const mediaType =
    typeof part.mediaType === 'string' ? part.mediaType : part.type.startsWith('image') ? 'image/*' : '';
  if (data && mediaType.startsWith('image/')) return [{ type: 'image', data, mediaType }];
  if (data && mediaType.startsWith('audio/')) return [{ type: 'audio', data, mediaType }];
  return data ? [fileOf(part, data, mediaType)] : [];
}

/** Converts a file to a resource: models see its name, and programs can read it. */
function fileOf({ filename }: AnyContent, data: Uint8Array, type: string): ContentPart {
  const name = typeof filename === 'string' && filename !== '' ? filename : 'file';
  return {
    type: 'resource',
    resource: { uri: `attachment:${encodeURIComponent(name)}`, name, type, read: () => data },
  };
}

/** The value of a content part: bytes or text. */
interface FileValue {
  readonly data?: Uint8Array | undefined;
  readonly text?: string;
}

function readFileValue(value: unknown): FileValue {
  if (value instanceof Uint8Array) return { data: value };
  if (value instanceof ArrayBuffer) return { data: new Uint8Array(value) };
  if (value instanceof URL) return readFileValue(value.href);
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
  return type === 'data' || type === 'url' ? readFileValue(data ?? url) : {};
}
