import { isResource, type ContentPart, type Message } from '@haft/core';

const mostMessages = 200;

/**
 * Reads what a plugin's prompt was prepared to: one text, or messages of the user's and the assistant's. A plugin speaks in
 * nobody else's name: it gives no orders as the system, and makes up no results of tools. Throws for anything else.
 */
export function readMessages(given: unknown): readonly Message[] {
  if (typeof given === 'string') return [{ role: 'user', content: given }];
  if (!Array.isArray(given) || given.length > mostMessages)
    throw new TypeError(`a prompt is prepared to a text or to at most ${mostMessages} messages`);
  return given.map((message: unknown, index) => {
    const { role, content } = (message ?? {}) as Readonly<Record<string, unknown>>;
    if (role !== 'user' && role !== 'assistant')
      throw new TypeError(`messages[${index}]: its role must be user or assistant`);
    if (typeof content === 'string') return { role, content };
    if (role === 'user' && Array.isArray(content))
      return { role, content: content.map((part) => readPart(part, index)) };
    throw new TypeError(`messages[${index}]: its content must be a text${role === 'user' ? ', or parts' : ''}`);
  });
}

function readPart(given: unknown, index: number): ContentPart {
  const { type, text, value, data, mediaType, resource } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'json') return { type, value };
  if ((type === 'image' || type === 'audio') && data instanceof Uint8Array && typeof mediaType === 'string')
    return { type, data, mediaType };
  if (type === 'resource' && isResource(resource)) return { type, resource };
  throw new TypeError(`messages[${index}]: a part of it is no text, JSON, image, sound or resource`);
}
