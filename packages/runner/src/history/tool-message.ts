import { renderForModel, type ContentPart, type Message, type MessageToolCall, type ToolResult } from '@haft/core';

/** The one message that answers a call: everything as text, then images and sounds themselves. Never empty. */
export function toToolMessage(call: MessageToolCall, result: ToolResult): Message {
  const rendered = renderForModel(result);
  const text: ContentPart = { type: 'text', text: rendered.trim() === '' ? '(no output)' : rendered };
  const media = result.content.filter((part) => part.type === 'image' || part.type === 'audio');
  return { role: 'tool', callId: call.id, name: call.name, content: [text, ...media], isError: !result.ok };
}
