import { createHash } from 'node:crypto';
import { isResource, type Prompt, type Resource } from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { Change, Collection, Store } from '@haft/store';
import type { ItemProblem, Namespace } from '../catalogue/item.ts';
import type { EventQueue } from '../events.ts';
import { userNamespace } from '../namespaces.ts';
import type { MarkdownPrompt } from '../prompts/build-prompt.ts';
import { readPrompt } from '../prompts/read-prompt.ts';
import { checkResourceName, checkUri } from '../resources/define-resource.ts';
import { ToolkitError } from '../toolkit-error.ts';
import {
  readStoredPrompt,
  readStoredResource,
  toPrompt,
  toResource,
  type StoredPrompt,
  type StoredResource,
} from './stored-items.ts';

/** The prompts and resources of the user. With a store, they persist across restarts. */
export interface UserItems {
  /**
   * Stores a Markdown prompt under its name and replaces an existing prompt. Rejects with `INVALID_PROMPT` or the error
   * of the store.
   */
  setPrompt(markdown: string, options?: { readonly name?: string }): Promise<MarkdownPrompt>;
  /**
   * Stores a resource with its current content under its URI. Rejects with `BAD_PARAMETER`, or with the error of `read`
   * or the store.
   */
  setResource(resource: Resource): Promise<Resource>;
  /** Removes a prompt by name, else a resource by URI. Returns false if nothing matches. */
  remove(key: string): Promise<boolean>;
}

/** The namespace `user`. */
export interface UserSpace extends Namespace {
  readonly items: UserItems;
  /** Stops watching the store. */
  close(): Promise<void>;
}

/**
 * Opens the user's namespace in a store. Changes from any source are visible immediately. Rejects with the error of the
 * store.
 */
export async function openUserSpace(store: Store, events: EventQueue): Promise<UserSpace> {
  const prompts = store.collection<StoredPrompt>('toolkit/prompts', readStoredPrompt);
  const resources = store.collection<StoredResource>('toolkit/resources', readStoredResource);
  const watches = await Promise.all([
    prompts.watch('', () => events.emit({ type: 'prompt-list-changed', namespace: userNamespace })),
    resources.watch('', (change) => void notify(change)),
  ]);

  /** A changed resource may be new or have new content. Clients that show a list need both events. */
  async function notify(change: Change): Promise<void> {
    events.emit({ type: 'resource-list-changed', namespace: userNamespace });
    const found = change.kind === 'set' ? await resources.get(change.key).catch(() => undefined) : undefined;
    if (found) events.emit({ type: 'resource-updated', namespace: userNamespace, uri: found.value.uri });
  }

  const items: UserItems = {
    async setPrompt(markdown, options = {}) {
      const prompt = readPrompt(markdown, options.name === undefined ? {} : { file: `${options.name}.md` });
      await prompts.set(prompt.name, { markdown });
      return prompt;
    },
    async setResource(resource) {
      if (!isResource(resource))
        throw new ToolkitError('BAD_PARAMETER', 'setResource: the argument must be { uri, name, type, read }');
      const { uri, name, description, type } = resource;
      checkUri(uri);
      checkResourceName(name);
      const content = await resource.read();
      const isText = typeof content === 'string';
      const stored: StoredResource = {
        uri,
        name,
        ...(description === undefined ? {} : { description }),
        type,
        encoding: isText ? 'text' : 'base64',
        content: isText ? content : Buffer.from(content).toString('base64'),
      };
      await resources.set(keyOf(uri), stored);
      return toResource(stored);
    },
    async remove(key) {
      if (isName(key) && (await existed(prompts, key))) return true;
      return existed(resources, keyOf(key));
    },
  };

  return {
    name: userNamespace,
    kind: 'user',
    items,
    prompts: () => readAll<StoredPrompt, Prompt>(prompts, toPrompt),
    resources: () => readAll<StoredResource, Resource>(resources, (_key, stored) => toResource(stored)),
    async close() {
      for (const watch of watches) watch.close();
    },
  };
}

/** Reads all items of a collection. An invalid item is reported as a problem and does not affect the others. */
async function readAll<Stored, Item>(
  collection: Collection<Stored>,
  make: (key: string, stored: Stored) => Item,
): Promise<readonly (Item | ItemProblem)[]> {
  const found: (Item | ItemProblem)[] = [];
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = await collection.list('', { after, limit: 1_000 });
    for (const { key, value } of page.documents) found.push(attempt(key, () => make(key, value)));
    for (const { key, error } of page.unreadable) found.push({ problem: `${key} is not readable: ${error.message}` });
    after = page.next;
  }
  return found;
}

function attempt<Item>(key: string, make: () => Item): Item | ItemProblem {
  try {
    return make();
  } catch (error) {
    return { problem: `${key} is not usable: ${describeCause(error)}` };
  }
}

async function existed<Stored>(collection: Collection<Stored>, key: string): Promise<boolean> {
  const deleted = await collection.delete(key);
  return deleted.ok && deleted.existed;
}

/** Hashes the URI, because URIs may be longer than store keys. */
function keyOf(uri: string): string {
  return createHash('sha256').update(uri).digest('hex');
}

function isName(key: string): boolean {
  return /^[A-Za-z_][\w-]{0,63}$/.test(key);
}
