import type { Prompt, Resource } from '@haft/core';
import type { ManagedServer } from '@haft/mcp';
import type { ResourceTemplate } from '../resources/resource-template.ts';

/** The prompts and resources of a connection. */
export interface ConnectionItems {
  prompts(): readonly Prompt[] | Promise<readonly Prompt[]>;
  resources(): readonly (Resource | ResourceTemplate)[] | Promise<readonly (Resource | ResourceTemplate)[]>;
}

/** The prompts and resources of a server. They are listed once, and again after each change notification. */
export interface ServerItems extends ConnectionItems {
  forget(what: 'prompts' | 'resources'): void;
}

/** Creates the item lists of one server. */
export function createServerItems(server: ManagedServer): ServerItems {
  const kept = new Map<string, Promise<unknown>>();
  const keep = <Value>(what: string, list: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(what) as Promise<Value> | undefined;
    if (known) return known;
    const listed = list();
    kept.set(what, listed);
    listed.catch(() => kept.delete(what));
    return listed;
  };
  return {
    prompts: () => {
      const { connection } = server;
      return connection?.state === 'ready' ? keep('prompts', () => connection.library.prompts()) : [];
    },
    resources: () => {
      const { connection } = server;
      return connection?.state === 'ready' ? keep('resources', () => connection.library.resources()) : [];
    },
    forget: (what) => void kept.delete(what),
  };
}
