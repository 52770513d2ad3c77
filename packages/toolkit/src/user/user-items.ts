import { createHash } from 'node:crypto';
import { isResource, type Prompt, type Resource } from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { Change, Collection, Store } from '@haft/store';
import type { ItemProblem, Namespace } from '../catalogue/item.ts';
import type { EventQueue } from '../events.ts';
import { UserNamespace } from '../namespaces.ts';
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

/** The prompts and resources of the user, which are there again after a restart where the toolkit has a store. */
export interface UserItems {
  /**
   * Keeps a prompt, written in Markdown, under its name; one of that name is replaced. Rejects with `INVALID_PROMPT`, or what
   * the store says.
   */
  setPrompt(markdown: string, options?: { readonly name?: string }): Promise<MarkdownPrompt>;
  /** Keeps a resource with its content as it is now, under its URI. Rejects with `BAD_PARAMETER`, what `read` or the store says. */
  setResource(resource: Resource): Promise<Resource>;
  /** Removes the prompt of a name, else the resource of a URI; false when there is none. */
  remove(key: string): Promise<boolean>;
}

/** The namespace `user`. */
export interface UserSpace extends Namespace {
  readonly items: UserItems;
  /** Ends watching. */
  close(): Promise<void>;
}

/**
 * Opens the namespace of the user over a store. Changes show at once, whoever makes them.
 * Rejects with what the store says.
 */
export async function openUserSpace(store: Store, events: EventQueue): Promise<UserSpace> {
  const prompts = store.collection<StoredPrompt>('toolkit/prompts', readStoredPrompt);
  const resources = store.collection<StoredResource>('toolkit/resources', readStoredResource);
  const watches = await Promise.all([
    prompts.watch('', () => events.emit({ type: 'prompt-list-changed', namespace: UserNamespace })),
    resources.watch('', (change) => void tell(change)),
  ]);

  /** A change of a resource may be a new one, or new content of an old one; who shows a list needs to know of either. */
  async function tell(change: Change): Promise<void> {
    events.emit({ type: 'resource-list-changed', namespace: UserNamespace });
    const found = change.kind === 'set' ? await resources.get(change.key).catch(() => undefined) : undefined;
    if (found) events.emit({ type: 'resource-updated', namespace: UserNamespace, uri: found.value.uri });
  }

  const items: UserItems = {
    async setPrompt(markdown, options = {}) {
      const prompt = readPrompt(markdown, options.name === undefined ? {} : { file: `${options.name}.md` });
      await prompts.set(prompt.name, { markdown });
      return prompt;
    },
    async setResource(resource) {
      if (!isResource(resource))
        throw new ToolkitError('BAD_PARAMETER', 'setResource: expected { uri, name, type, read }');
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
    name: UserNamespace,
    kind: 'user',
    items,
    prompts: () => readAll<StoredPrompt, Prompt>(prompts, toPrompt),
    resources: () => readAll<StoredResource, Resource>(resources, (_key, stored) => toResource(stored)),
    async close() {
      for (const watch of watches) watch.close();
    },
  };
}

/** Everything of a collection; what can't be read is a problem of its own and hides nothing else. */
async function readAll<Stored, Item>(
  collection: Collection<Stored>,
  make: (key: string, stored: Stored) => Item,
): Promise<readonly (Item | ItemProblem)[]> {
  const found: (Item | ItemProblem)[] = [];
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = await collection.list('', { after, limit: 1_000 });
    for (const { key, value } of page.documents) found.push(attempt(key, () => make(key, value)));
    for (const { key, error } of page.unreadable) found.push({ problem: `${key} can't be read: ${error.message}` });
    after = page.next;
  }
  return found;
}

function attempt<Item>(key: string, make: () => Item): Item | ItemProblem {
  try {
    return make();
  } catch (error) {
    return { problem: `${key} can't be used: ${describeCause(error)}` };
  }
}

async function existed<Stored>(collection: Collection<Stored>, key: string): Promise<boolean> {
  const deleted = await collection.delete(key);
  return deleted.ok && deleted.existed;
}

/** Addresses may be longer than keys. */
function keyOf(uri: string): string {
  return createHash('sha256').update(uri).digest('hex');
}

function isName(key: string): boolean {
  return /^[A-Za-z_][\w-]{0,63}$/.test(key);
}
