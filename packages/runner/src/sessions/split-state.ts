import { HaftError } from '@haft/core';
import type { AgentState } from '../agent/agent-state.ts';

/** What is kept of a session besides the texts of its messages. */
export interface StoredHead {
  readonly version: 1;
  readonly id: string;
  /** The texts that each message is made of, by their names. */
  readonly messages: readonly (readonly string[])[];
  /** The state without its messages, as JSON. */
  readonly rest: string;
}

/** A piece of a message, as JSON. */
export interface StoredChunk {
  readonly text: string;
}

/** Characters of one piece: even where each takes three bytes and is escaped, no document is too large. */
const maxChunkLength = 150_000;

/** Takes a state apart: each message by itself, so that a longer conversation is kept by adding to it. */
export async function splitState(
  state: AgentState,
): Promise<{ readonly head: StoredHead; readonly chunks: ReadonlyMap<string, string> }> {
  const { messages, ...rest } = state;
  const chunks = new Map<string, string>();
  const named: (readonly string[])[] = [];
  for (const message of messages) {
    const text = JSON.stringify(message);
    const names: string[] = [];
    for (let from = 0; from < text.length; from += maxChunkLength) {
      const chunk = text.slice(from, from + maxChunkLength);
      const name = await nameOf(chunk);
      chunks.set(name, chunk);
      names.push(name);
    }
    named.push(names);
  }
  return { head: { version: 1, id: state.id, messages: named, rest: JSON.stringify(rest) }, chunks };
}

/** Half of a SHA-256, in hexadecimal digits: equal texts, equal names. As JSON, since half a character is no UTF-8. */
async function nameOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(text)));
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Puts a state together again.
 * @throws HaftError `SESSION_DAMAGED` when a piece is missing.
 */
export function joinState({ id, messages, rest }: StoredHead, chunks: ReadonlyMap<string, string>): AgentState {
  const whole = messages.map((names, at) => {
    const texts = names.map((name) => chunks.get(name));
    if (texts.includes(undefined))
      throw new HaftError('SESSION_DAMAGED', `message ${at} of the session ${id} is not there any more`);
    return JSON.parse(texts.join('')) as AgentState['messages'][number];
  });
  return { ...(JSON.parse(rest) as Omit<AgentState, 'messages'>), messages: whole };
}

/** Reads what is kept; throws for anything else. */
export function readHead(value: unknown): StoredHead {
  const { version, id, messages, rest } = (value ?? {}) as Partial<Record<keyof StoredHead, unknown>>;
  const isList = Array.isArray(messages) && messages.every((names) => Array.isArray(names));
  if (version !== 1 || typeof id !== 'string' || typeof rest !== 'string' || !isList) throw new TypeError('no session');
  return { version, id, messages: messages as StoredHead['messages'], rest };
}

export function readChunk(value: unknown): StoredChunk {
  const { text } = (value ?? {}) as Partial<Record<keyof StoredChunk, unknown>>;
  if (typeof text !== 'string') throw new TypeError('no chunk of a message');
  return { text };
}
