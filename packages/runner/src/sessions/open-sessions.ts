import { HaftError } from '@haft/core';
import { stringKind, checkOptions, objectWith, required, type OptionTable } from '@haft/core/options';
import type { AgentState } from '../agent/agent-state.ts';
import { joinState, readHead, readChunk, splitState } from './split-session-state.ts';
import { createSessionNotes, type SessionNotes } from './session-notes.ts';
import { listAll, type SessionStore, type SessionWrite } from './session-store.ts';

/** Summary of a session, without its messages. */
export interface SessionInfo {
  readonly id: string;
  /** Number of messages. */
  readonly messages: number;
  /** In ISO 8601. */
  readonly updatedAt: string;
}

/** Stored conversations and session notes of tools. */
export interface Sessions {
  readonly notes: SessionNotes;
  /**
   * Stores the current state of an agent; during a run, the state at its latest request. Only adds to the previously
   * stored state. Rejects with `SESSION_CONFLICT` after five conflicts with concurrent saves.
   */
  save(agent: { save(): Promise<AgentState> }): Promise<void>;
  /**
   * Returns the state for `createAgent({ state })`, or undefined if the session is unknown. Rejects with
   * `SESSION_DAMAGED` if a message is missing.
   */
  load(id: string): Promise<AgentState | undefined>;
  /** Lists the sessions of the project, the latest first. */
  list(): Promise<readonly SessionInfo[]>;
  /** Deletes a session with its tasks, plan and memories. Returns whether it existed. */
  delete(id: string): Promise<boolean>;
}

/** Options of {@link openSessions}. */
export interface SessionsOptions {
  /** A store of `@haft/store`, or a compatible one. */
  readonly store: SessionStore;
  /** Name of the project that owns the sessions and memories, such as its folder. Default: one shared project. */
  readonly project?: string;
}

const table: OptionTable<SessionsOptions> = {
  store: required(
    objectWith<SessionStore>('a store that createStore() of @haft/store resolves to', 'collection', 'batch'),
  ),
  project: stringKind,
};

/** Maximum number of writes per batch, with room for the head. */
const maxWrites = 900;
const maxAttempts = 5;
const maxNameLength = 300;

/**
 * Opens the stored conversations: messages of agents, and the tasks, plans and memories of their sessions.
 * `createAgent` with `state: await sessions.load(id)` restores all of them, because tools store their notes under the
 * id of the session.
 *
 * @throws HaftError `INVALID_OPTION` without a store, and for names longer than 300 characters after URL encoding.
 */
export function openSessions(options: SessionsOptions): Sessions {
  checkOptions('openSessions', options, table, '{ store }');
  const { store, project = '' } = options;
  const scope = `${nameOf(project)}/`;
  const heads = store.collection('sessions/heads', readHead);
  const chunks = store.collection('sessions/chunks', readChunk);
  const notes = createSessionNotes(store, scope);
  const keyOf = (id: string): string => scope + nameOf(id);

  return {
    notes,
    async save(agent) {
      const state = await agent.save();
      const key = keyOf(state.id);
      const { head, chunks: texts } = await splitState(state);
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const before = await heads.get(key);
        const known = new Set(before?.value.messages.flat());
        const fresh = [...texts]
          .filter(([name]) => !known.has(name))
          .map(([name, text]): SessionWrite => ({
            kind: 'set',
            collection: chunks,
            key: `${key}/${name}`,
            value: { text },
          }));
        const stale = [...known]
          .filter((name) => !texts.has(name))
          .map((name): SessionWrite => ({ kind: 'delete', collection: chunks, key: `${key}/${name}` }));
        // Chunks that no head refers to have no effect.
        while (fresh.length > maxWrites / 2) await store.batch(fresh.splice(0, maxWrites));
        const set = { kind: 'set', collection: heads, key, value: head, ifVersion: before?.version ?? 0 } as const;
        const room = maxWrites - fresh.length;
        const written = await store.batch([...fresh, set, ...stale.slice(0, room)]);
        if (!written.ok) continue;
        for (let from = room; from < stale.length; from += maxWrites)
          await store.batch(stale.slice(from, from + maxWrites));
        return;
      }
      throw new HaftError('SESSION_CONFLICT', `session ${state.id}: other processes keep saving it at the same time`);
    },
    async load(id) {
      const key = keyOf(id);
      const found = await heads.get(key);
      if (!found) return undefined;
      const all = await listAll(chunks, `${key}/`);
      const texts = new Map(all.map((chunk) => [chunk.key.slice(key.length + 1), chunk.value.text]));
      return joinState(found.value, texts);
    },
    async list() {
      const all = await listAll(heads, scope);
      const latest = [...all].sort((a, b) => b.version - a.version);
      return latest.map(({ value, updatedAt }) => ({ id: value.id, messages: value.messages.length, updatedAt }));
    },
    async delete(id) {
      const key = keyOf(id);
      const existed = (await heads.get(key)) !== undefined;
      await heads.delete(key);
      for (const chunk of await listAll(chunks, `${key}/`)) await chunks.delete(chunk.key);
      const own = nameOf(id);
      await notes.todos.delete(own);
      await notes.plans.delete(own);
      for (const memory of await listAll(notes.memory.session, `${own}/`))
        await notes.memory.session.delete(memory.key);
      return existed;
    },
  };
}

/** The same key as the built-in tools use for their notes. */
function nameOf(given: string): string {
  const isText = typeof given === 'string' && !/\p{Surrogate}/u.test(given);
  const name = isText ? encodeURIComponent(given) : '';
  if (!isText || name.length > maxNameLength)
    throw new HaftError(
      'INVALID_OPTION',
      `openSessions: name: invalid (expected at most ${maxNameLength} characters after URL encoding)`,
    );
  return name;
}
