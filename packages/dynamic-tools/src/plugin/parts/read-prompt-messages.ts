import { isResource, type ContentPart, type Message } from '@haft/core';

const maxMessages = 200;

/**
 * Reads the messages of a plugin's prompt: a string, or user and assistant messages. Throws for anything else,
 * including system messages and tool results.
 */
export function readMessages(given: unknown): readonly Message[] {
  if (typeof given === 'string') return [{ role: 'user', content: given }];
  if (!Array.isArray(given) || given.length > maxMessages)
    throw new TypeError(`prepare must return a string or at most ${maxMessages} messages`);
  return given.map((message: unknown, index) => {
    const { role, content } = (message ?? {}) as Readonly<Record<string, unknown>>;
    if (role !== 'user' && role !== 'assistant')
      throw new TypeError(`messages[${index}]: its role must be "user" or "assistant"`);
    if (typeof content === 'string') return { role, content };
    if (role === 'user' && Array.isArray(content))
      return { role, content: content.map((part) => readPart(part, index)) };
    throw new TypeError(
      `messages[${index}]: its content must be a string${role === 'user' ? ' or an array of parts' : ''}`,
    );
  });
}

function readPart(given: unknown, index: number): ContentPart {
  const { type, text, value, data, mediaType, resource } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'json') return { type, value };
  if ((type === 'image' || type === 'audio') && data instanceof Uint8Array && typeof mediaType === 'string')
    return { type, data, mediaType };
  if (type === 'resource' && isResource(resource)) return { type, resource };
  throw new TypeError(`messages[${index}]: each part must be text, JSON, an image, audio or a resource`);
}
