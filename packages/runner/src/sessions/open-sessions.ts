import { HaftError } from '@haft/core';
import { aString, checkOptions, objectWith, required, type OptionTable } from '@haft/core/options';
import type { AgentState } from '../agent/agent-state.ts';
import { joinState, readHead, readChunk, splitState } from './split-state.ts';
import { createSessionNotes, type SessionNotes } from './session-notes.ts';
import { listAll, type SessionStore, type SessionWrite } from './session-store.ts';

/** What is known of a session without reading its messages. */
export interface SessionInfo {
  readonly id: string;
  /** How many there are. */
  readonly messages: number;
  /** In ISO 8601. */
  readonly updatedAt: string;
}

/** Conversations that survive, and what tools keep for them. */
export interface Sessions {
  readonly notes: SessionNotes;
  /**
   * Keeps an agent as it is now; in the middle of a run, as of its latest request. What was kept before is added to. Rejects with
   * `SESSION_CONFLICT` where others save the same session five times meanwhile.
   */
  save(agent: { save(): Promise<AgentState> }): Promise<void>;
  /** What `createAgent({ state })` goes on from; nothing where there is no such session. Rejects with `SESSION_DAMAGED` where a message of it is missing. */
  load(id: string): Promise<AgentState | undefined>;
  /** Those of the project, the one that was saved last first. */
  list(): Promise<readonly SessionInfo[]>;
  /** Forgets a session, with its tasks, its plan and its own memories. Answers whether there was one. */
  delete(id: string): Promise<boolean>;
}

/** What {@link openSessions} takes. */
export interface SessionsOptions {
  /** A store of `@haft/store`, or what is one. */
  readonly store: SessionStore;
  /** Names the project whose sessions and memories these are, such as its folder. Default: all have the same. */
  readonly project?: string;
}

const table: OptionTable<SessionsOptions> = {
  store: required(
    objectWith<SessionStore>('a store that createStore() of @haft/store resolves to', 'collection', 'batch'),
  ),
  project: aString,
};

/** Writes that are made as one, with room for the head. */
const maxWrites = 900;
const maxAttempts = 5;
const maxNameLength = 300;

/**
 * Opens what survives of conversations in a store: the messages of agents, and the tasks, plans and memories of their sessions. An agent
 * that is made with `state: await sessions.load(id)` has them all again, since tools keep theirs by the session's id.
 *
 * @throws HaftError `INVALID_OPTION` without a store, and for names longer than 300 characters as parts of an address.
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
        // What no head names yet is in nobody's way.
        while (fresh.length > maxWrites / 2) await store.batch(fresh.splice(0, maxWrites));
        const set = { kind: 'set', collection: heads, key, value: head, ifVersion: before?.version ?? 0 } as const;
        const room = maxWrites - fresh.length;
        const written = await store.batch([...fresh, set, ...stale.slice(0, room)]);
        if (!written.ok) continue;
        for (let from = room; from < stale.length; from += maxWrites)
          await store.batch(stale.slice(from, from + maxWrites));
        return;
      }
      throw new HaftError(
        'SESSION_CONFLICT',
        `the session ${state.id} is being saved by somebody else again and again`,
      );
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

/** As the built-in tools name a session among their notes. */
function nameOf(given: string): string {
  const isText = typeof given === 'string' && !/\p{Surrogate}/u.test(given);
  const name = isText ? encodeURIComponent(given) : '';
  if (!isText || name.length > maxNameLength)
    throw new HaftError(
      'INVALID_OPTION',
      `openSessions: a name must be a text of at most ${maxNameLength} plain characters`,
    );
  return name;
}
