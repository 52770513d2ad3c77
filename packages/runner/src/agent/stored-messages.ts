import { fromStoredResult, toStoredResult } from '@haft/core/results';
import { HaftError, success, type ContentPart, type Message } from '@haft/core';

/** A message as JSON: bytes are base64, small resources are kept with their text. */
export type StoredMessage = Omit<Message, 'content'> & { readonly content: unknown };

/** Makes JSON of a conversation. Resources are read, once; of those above 1 MiB the address is kept. */
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
 * Makes a conversation of what {@link storeMessages} made of it.
 * @throws HaftError `INVALID_OPTION` for what is none.
 */
export function reviveMessages(stored: unknown): readonly Message[] {
  if (!Array.isArray(stored)) throw new HaftError('INVALID_OPTION', 'the state of an agent has no list of messages');
  return stored.map((message: unknown, at): Message => {
    if (typeof message !== 'object' || message === null || !('content' in message))
      throw new HaftError('INVALID_OPTION', `message ${at} of the state of an agent is none`);
    const { content } = message;
    return (typeof content === 'string' ? message : { ...message, content: reviveParts(content, at) }) as Message;
  });
}

function reviveParts(content: unknown, at: number): readonly ContentPart[] {
  const result = { version: 1, callId: '', name: '', ok: true, content, effects: [], metadata: {}, advisories: [] };
  try {
    return fromStoredResult(result).content;
  } catch (cause) {
    throw new HaftError('INVALID_OPTION', `message ${at} of the state of an agent can't be read`, { cause });
  }
}
