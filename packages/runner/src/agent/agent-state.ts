import { HaftError, type Message, type Usage } from '@haft/core';
import type { SteerMessage } from '../steer-queue.ts';
import { reviveMessages, type StoredMessage } from '../history/stored-messages.ts';

/** State of an agent between two turns, as JSON. */
export interface AgentState {
  readonly version: 1;
  readonly id: string;
  readonly messages: readonly StoredMessage[];
  readonly usage: Usage;
  /** Steering messages that no turn has received yet. */
  readonly waiting: readonly SteerMessage[];
}

/** Initial values of an agent. */
export interface InitialAgentState {
  readonly id: string | undefined;
  readonly messages: readonly Message[];
  readonly usage: Usage;
  readonly waiting: readonly SteerMessage[];
}

/**
 * Reads a stored state of unknown origin.
 * @throws HaftError `INVALID_OPTION` if the state is invalid.
 */
export function readAgentState(state: unknown): InitialAgentState {
  if (state === undefined) return { id: undefined, messages: [], usage: {}, waiting: [] };
  if (typeof state !== 'object' || state === null || !('version' in state) || state.version !== 1)
    throw new HaftError('INVALID_OPTION', 'state: not a saved agent (expected the result of save(), version 1)');
  const { id, messages, usage, waiting } = state as Partial<Record<keyof AgentState, unknown>>;
  if (typeof id !== 'string' || id === '')
    throw new HaftError('INVALID_OPTION', 'state.id: missing (expected a non-empty string)');
  return {
    id,
    messages: reviveMessages(messages),
    usage: typeof usage === 'object' && usage !== null ? usage : {},
    waiting: Array.isArray(waiting) ? waiting.filter(isSteerMessage) : [],
  };
}

function isSteerMessage(given: unknown): given is SteerMessage {
  if (typeof given !== 'object' || given === null) return false;
  const { text, source, trusted } = given as Partial<Record<keyof SteerMessage, unknown>>;
  return typeof text === 'string' && typeof source === 'string' && typeof trusted === 'boolean';
}
