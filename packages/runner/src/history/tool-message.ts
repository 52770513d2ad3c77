import { renderForModel, type ContentPart, type Message, type MessageToolCall, type ToolResult } from '@haft/core';

/** Creates the tool message of a call: text first, then images and audio. Never empty. */
export function toToolMessage(call: MessageToolCall, result: ToolResult): Message {
  const rendered = renderForModel(result);
  const text: ContentPart = { type: 'text', text: rendered.trim() === '' ? '(no output)' : rendered };
  const media = result.content.filter((part) => part.type === 'image' || part.type === 'audio');
  return { role: 'tool', callId: call.id, name: call.name, content: [text, ...media], isError: !result.ok };
}
