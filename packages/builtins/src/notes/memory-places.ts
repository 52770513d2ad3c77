import { randomBytes } from 'node:crypto';
import type { Documents } from './documents.ts';
import { keyOf } from './key-of.ts';

/** How long, and for whom, something is remembered. */
export type MemoryScope = 'session' | 'project' | 'global';

/** Something that is remembered. */
export interface Memory {
  readonly content: string;
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Where each scope is kept, such as collections of `@haft/store`; a scope that is not given is not there. */
export type MemoryPlaces = Readonly<Partial<Record<MemoryScope, Documents<Memory>>>>;

/** A memory, with its place. */
export interface RecalledMemory extends Memory {
  readonly id: string;
  readonly scope: MemoryScope;
}

/** All scopes, the narrowest first. */
export const memoryScopes: readonly MemoryScope[] = ['session', 'project', 'global'];

/** The most memories of one scope; of the narrowest for each session. */
export const mostMemories = 200;

/** The scopes that are there. */
export function scopesOf(places: MemoryPlaces): readonly MemoryScope[] {
  return memoryScopes.filter((scope) => places[scope] !== undefined);
}

/** The memories of a scope, as a session sees it. */
export async function listMemories(
  places: MemoryPlaces,
  scope: MemoryScope,
  sessionId: string,
): Promise<readonly RecalledMemory[]> {
  const prefix = prefixOf(scope, sessionId);
  const page = await places[scope]?.list(prefix, { limit: mostMemories });
  return (page?.documents ?? []).map(({ key, value }) => ({ ...value, id: key.slice(prefix.length), scope }));
}

/** Keeps a memory under an id of its own, or in the place of another. */
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

/** An id that nobody has yet. */
export function createMemoryId(): string {
  return `m${randomBytes(5).toString('hex')}`;
}

function prefixOf(scope: MemoryScope, sessionId: string): string {
  return scope === 'session' ? `${keyOf(sessionId)}/` : '';
}
