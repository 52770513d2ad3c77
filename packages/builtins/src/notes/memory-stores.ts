import { randomBytes } from 'node:crypto';
import type { Documents } from './note-documents.ts';
import { keyOf } from './note-key.ts';

/** How long a memory lasts: for the session, for the project, or forever. */
export type MemoryScope = 'session' | 'project' | 'global';

/** A remembered fact. */
export interface Memory {
  readonly content: string;
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The storage of each scope, such as collections of `@haft/store`. A scope without storage is unavailable. */
export type MemoryStores = Readonly<Partial<Record<MemoryScope, Documents<Memory>>>>;

/** A memory with its id and scope. */
export interface RecalledMemory extends Memory {
  readonly id: string;
  readonly scope: MemoryScope;
}

/** All scopes, narrowest first. */
export const memoryScopes: readonly MemoryScope[] = ['session', 'project', 'global'];

/** Maximum number of memories per scope; for `session`, per session. */
export const maxMemories = 200;

/** Returns the available scopes. */
export function scopesOf(stores: MemoryStores): readonly MemoryScope[] {
  return memoryScopes.filter((scope) => stores[scope] !== undefined);
}

/** Returns the memories of a scope that a session can see. */
export async function listMemories(
  stores: MemoryStores,
  scope: MemoryScope,
  sessionId: string,
): Promise<readonly RecalledMemory[]> {
  const prefix = prefixOf(scope, sessionId);
  const page = await stores[scope]?.list(prefix, { limit: maxMemories });
  return (page?.documents ?? []).map(({ key, value }) => ({ ...value, id: key.slice(prefix.length), scope }));
}

/** Stores a memory under a new id, or replaces one. */
export async function keepMemory(
  place: Documents<Memory>,
  memory: {
    readonly scope: MemoryScope;
    readonly sessionId: string;
    readonly content: string;
    readonly id: string;
    readonly at: string;
  },
): Promise<void> {
  const { scope, sessionId, content, id, at } = memory;
  await place.update(prefixOf(scope, sessionId) + id, (now) => ({
    content,
    createdAt: now?.createdAt ?? at,
    updatedAt: at,
  }));
}

/** Removes a memory. */
export async function dropMemory(
  place: Documents<Memory>,
  scope: MemoryScope,
  sessionId: string,
  id: string,
): Promise<void> {
  await place.delete(prefixOf(scope, sessionId) + id);
}

/** Returns a new unique id. */
export function createMemoryId(): string {
  return `m${randomBytes(5).toString('hex')}`;
}

function prefixOf(scope: MemoryScope, sessionId: string): string {
  return scope === 'session' ? `${keyOf(sessionId)}/` : '';
}
