import { HaftError } from '@haft/core';
import type { AgentState } from '../agent/agent-state.ts';

/** A stored session without the texts of its messages. */
export interface StoredHead {
  readonly version: 1;
  readonly id: string;
  /** Names of the chunks of each message. */
  readonly messages: readonly (readonly string[])[];
  /** The state without its messages, as JSON. */
  readonly rest: string;
}

/** Part of a message, as JSON. */
export interface StoredChunk {
  readonly text: string;
}

/**
 * Number of characters per chunk. Even if each character takes three bytes and is escaped, the document fits the size
 * limit.
 */
const maxChunkLength = 150_000;

/** Splits a state into messages and chunks, so that a save only adds the new ones. */
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

/**
 * Returns half of a SHA-256 in hexadecimal, so equal texts have equal names. Hashes JSON, because UTF-8 cannot
 * represent a lone surrogate.
 */
async function nameOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(text)));
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Restores a state from its chunks.
 * @throws HaftError `SESSION_DAMAGED` if a chunk is missing.
 */
export function joinState({ id, messages, rest }: StoredHead, chunks: ReadonlyMap<string, string>): AgentState {
  const whole = messages.map((names, at) => {
    const texts = names.map((name) => chunks.get(name));
    if (texts.includes(undefined)) throw new HaftError('SESSION_DAMAGED', `session ${id}: message ${at} is missing`);
    return JSON.parse(texts.join('')) as AgentState['messages'][number];
  });
  return { ...(JSON.parse(rest) as Omit<AgentState, 'messages'>), messages: whole };
}

/** Validates a stored head. Throws a TypeError if it is invalid. */
export function readHead(value: unknown): StoredHead {
  const { version, id, messages, rest } = (value ?? {}) as Partial<Record<keyof StoredHead, unknown>>;
  const isList = Array.isArray(messages) && messages.every((names) => Array.isArray(names));
  if (version !== 1 || typeof id !== 'string' || typeof rest !== 'string' || !isList)
    throw new TypeError('not a session');
  return { version, id, messages: messages as StoredHead['messages'], rest };
}

export function readChunk(value: unknown): StoredChunk {
  const { text } = (value ?? {}) as Partial<Record<keyof StoredChunk, unknown>>;
  if (typeof text !== 'string') throw new TypeError('text is not a string');
  return { text };
}
