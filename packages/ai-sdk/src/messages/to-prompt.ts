import { type ContentPart, type Message, type MessageToolCall } from '@haft/core';
import { renderPart, type AudioPart, type ImagePart } from '@haft/core/results';
import { toBase64 } from './to-base64.ts';
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';

type ToolMessage = Extract<Message, { readonly role: 'tool' }>;

/** Data besides name and arguments that a vendor requires when its calls are sent back. */
export interface RememberedCall {
  /** Reasoning of the whole response; stored with its first call. */
  readonly reasoning: readonly LanguageModelV4ReasoningPart[];
  readonly providerOptions: SharedV4ProviderOptions | undefined;
}

/** Options of {@link toPrompt}. */
export interface PromptOptions {
  /**
   * Where to put images and audio of tool results. `follow-up` (default): in a user message after the results, which
   * every model with image input accepts. `inline`: in the result, for providers that accept them there.
   */
  readonly mediaInResults?: 'follow-up' | 'inline';
  /** Returns the stored data of a call that this model made. */
  readonly recall?: (callId: string) => RememberedCall | undefined;
}

/** Converts a conversation for AI SDK providers. Consecutive tool messages become one. */
export function toPrompt(messages: readonly Message[], options: PromptOptions = {}): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at]!;
    if (message.role !== 'tool') {
      prompt.push(toProviderMessage(message, options));
      continue;
    }
    const results = [message];
    for (let next = messages[at + 1]; next?.role === 'tool'; next = messages[at + 1]) {
      results.push(next);
      at += 1;
    }
    prompt.push(...toToolMessages(results, options));
  }
  return prompt;
}

function toProviderMessage(message: Exclude<Message, ToolMessage>, options: PromptOptions): LanguageModelV4Message {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'user') return { role: 'user', content: toUserParts(message.content) };
  const calls = message.toolCalls ?? [];
  const reasoning = calls.length > 0 ? (options.recall?.(calls[0]!.id)?.reasoning ?? []) : [];
  const text: LanguageModelV4TextPart[] =
    message.content !== '' || calls.length === 0 ? [{ type: 'text', text: message.content }] : [];
  return { role: 'assistant', content: [...reasoning, ...text, ...calls.map((call) => toCallPart(call, options))] };
}

function toUserParts(content: string | readonly ContentPart[]): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return parts.length === 0
    ? [{ type: 'text', text: '' }]
    : parts.map((part) => (isMedia(part) ? toFilePart(part) : toTextPart(part)));
}

function toCallPart(
  { id, name, arguments: args }: MessageToolCall,
  { recall }: PromptOptions,
): LanguageModelV4ToolCallPart {
  const providerOptions = recall?.(id)?.providerOptions;
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: toInput(args),
    ...(providerOptions && { providerOptions }),
  };
}

/** Returns the arguments as an object, which providers require. Unreadable text becomes an empty object. */
function toInput(args: unknown): unknown {
  const value: unknown = typeof args === 'string' ? parse(args) : args;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toToolMessages(results: readonly ToolMessage[], options: PromptOptions): LanguageModelV4Message[] {
  const isInline = options.mediaInResults === 'inline';
  const content = results.map((result) => toResultPart(result, isInline));
  const message: LanguageModelV4Message = { role: 'tool', content };
  const media = isInline ? [] : results.flatMap(toFollowUp);
  return media.length === 0 ? [message] : [message, { role: 'user', content: media }];
}

function toResultPart(message: ToolMessage, isInline: boolean): LanguageModelV4ToolResultPart {
  const { callId, name, content, isError } = message;
  return {
    type: 'tool-result',
    toolCallId: callId,
    toolName: name,
    output: toResultOutput(content, isError, isInline),
  };
}

/** Converts the content of a result for AI SDK providers. Media are named in the text and, if `isInline`, appended. */
export function toResultOutput(
  content: readonly ContentPart[],
  isError: boolean,
  isInline: boolean,
): LanguageModelV4ToolResultOutput {
  const media = isInline ? content.filter(isMedia) : [];
  const text = content
    .filter((part) => !isMedia(part))
    .map(renderPart)
    .join('\n');
  if (media.length === 0) return { type: isError ? 'error-text' : 'text', value: text };
  const files = media.map(({ data, mediaType }) => ({
    type: 'file' as const,
    // Base64, because some vendors serialize the whole result as JSON.
    data: { type: 'data' as const, data: toBase64(data) },
    mediaType,
  }));
  return { type: 'content', value: text === '' ? files : [{ type: 'text', text }, ...files] };
}

function toFollowUp({ callId, name, content }: ToolMessage): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  const media = content.filter(isMedia);
  if (media.length === 0) return [];
  return [{ type: 'text', text: `Output of ${name} (call ${callId}):` }, ...media.map(toFilePart)];
}

function toFilePart({ data, mediaType }: ImagePart | AudioPart): LanguageModelV4FilePart {
  return { type: 'file', data: { type: 'data', data }, mediaType };
}

function toTextPart(part: ContentPart): LanguageModelV4TextPart {
  return { type: 'text', text: renderPart(part) };
}

/** Returns whether a part has media bytes. A conversation stored as JSON has lost them. */
function isMedia(part: ContentPart): part is ImagePart | AudioPart {
  return (part.type === 'image' || part.type === 'audio') && part.data instanceof Uint8Array;
}
