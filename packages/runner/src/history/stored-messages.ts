import { fromStoredResult, toStoredResult } from '@haft/core/results';
import { HaftError, success, type ContentPart, type Message } from '@haft/core';

/** A message as JSON. Bytes are base64; small resources include their text. */
export type StoredMessage = Omit<Message, 'content'> & { readonly content: unknown };

/**
 * Converts a conversation to JSON. Reads each resource once; of resources above 1 MiB, only the URI is stored.
 *
 * @example
 * import { reviveMessages, storeMessages } from '@haft/runner';
 * const stored = await storeMessages([{ role: 'user', content: 'Hello' }]);
 * reviveMessages(JSON.parse(JSON.stringify(stored))); // => [{ role: 'user', content: 'Hello' }]
 */
export async function storeMessages(messages: readonly Message[]): Promise<readonly StoredMessage[]> {
  return Promise.all(
    messages.map(async (message) => {
      const { content } = message;
      const stored = typeof content === 'string' ? content : (await toStoredResult(success('', content))).content;
      return JSON.parse(JSON.stringify({ ...message, content: stored })) as StoredMessage;
    }),
  );
}

/**
 * Restores a conversation from the result of {@link storeMessages}.
 *
 * @throws HaftError `INVALID_OPTION` if the value is invalid.
 * @example
 * import { reviveMessages, storeMessages } from '@haft/runner';
 * reviveMessages(await storeMessages([{ role: 'user', content: 'Hello' }])); // => [{ role: 'user', content: 'Hello' }]
 */
export function reviveMessages(stored: unknown): readonly Message[] {
  if (!Array.isArray(stored))
    throw new HaftError('INVALID_OPTION', 'state.messages: not an array (expected an array of messages)');
  return stored.map((message: unknown, at): Message => {
    if (typeof message !== 'object' || message === null || !('content' in message))
      throw new HaftError('INVALID_OPTION', `state.messages[${at}]: not a message (expected { role, content })`);
    const { content } = message;
    return (typeof content === 'string' ? message : { ...message, content: reviveParts(content, at) }) as Message;
  });
}

function reviveParts(content: unknown, at: number): readonly ContentPart[] {
  const result = { version: 1, callId: '', name: '', ok: true, content, effects: [], metadata: {}, advisories: [] };
  try {
    return fromStoredResult(result).content;
  } catch (cause) {
    throw new HaftError('INVALID_OPTION', `state.messages[${at}]: invalid content`, { cause });
  }
}
