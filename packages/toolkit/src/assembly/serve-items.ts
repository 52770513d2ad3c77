import type { Prompt, Resource } from '@haft/core';
import { createLibrary, type Library, type ServedResourceTemplate } from '@haft/mcp';
import type { ItemProblem, Namespace } from '../catalogue/item.ts';
import type { EventQueue } from '../events.ts';
import { isResourceTemplate, type ResourceTemplate } from '../resources/resource-template.ts';

/** The prompts and resources that are served to clients. */
export interface ServedItems {
  readonly library: Library;
  /** Stops following changes. */
  stop(): void;
}

/**
 * Copies the prompts and resources of namespaces into a library and keeps the library up to date. If a name occurs
 * twice, the first item wins.
 */
export async function serveItems(namespaces: () => readonly Namespace[], events: EventQueue): Promise<ServedItems> {
  const library = createLibrary();
  const taken = new Map<string, ResourceTemplate>();

  const takePrompts = async (): Promise<void> => {
    const lists = await Promise.all(namespaces().map(listPrompts));
    const found = firstOf(lists.flat(), ({ name }) => name);
    for (const { name } of library.prompts) if (!found.has(name)) library.removePrompt(name);
    for (const prompt of found.values()) if (!library.prompts.includes(prompt)) library.addPrompt(prompt);
  };
  const takeResources = async (): Promise<void> => {
    const lists = await Promise.all(namespaces().map((namespace) => listed(() => namespace.resources())));
    const usable = lists.flat().filter(isUsable<Resource | ResourceTemplate>);
    const resources = firstOf(
      usable.flatMap((one) => (isResourceTemplate(one) ? [] : [one])),
      ({ uri }) => uri,
    );
    for (const { uri } of library.resources) if (!resources.has(uri)) library.removeResource(uri);
    for (const resource of resources.values()) {
      if (library.resources.includes(resource)) continue;
      try {
        library.addResource(resource);
      } catch {
        // A server or plugin gave an invalid URI, without which the resource can't be served. The others are.
      }
    }
    const templates = firstOf(usable.filter(isResourceTemplate), ({ uriTemplate }) => uriTemplate);
    for (const uriTemplate of taken.keys())
      if (!templates.has(uriTemplate) && taken.delete(uriTemplate)) library.removeTemplate(uriTemplate);
    for (const [uriTemplate, template] of templates) {
      if (taken.get(uriTemplate) === template) continue;
      taken.set(uriTemplate, template);
      library.addTemplate(toServed(template));
    }
  };

  await Promise.all([takePrompts(), takeResources()]);
  const stop = events.listen(async (event) => {
    if (event.type === 'state-change') await Promise.all([takePrompts(), takeResources()]);
    if (!('namespace' in event) || !namespaces().some(({ name }) => name === event.namespace)) return;
    if (event.type === 'prompt-list-changed') await takePrompts();
    else if (event.type === 'resource-list-changed') await takeResources();
    else if (event.type === 'resource-updated') {
      await takeResources();
      library.notifyUpdated(event.uri);
    }
  });
  return { library, stop };
}

/** Maximum time to list the items of a server, in milliseconds. */
const patienceMs = 5_000;

/**
 * Lists items. Returns no items for a namespace that fails or takes too long, so that it does not affect the others.
 */
async function listed<Item>(list: () => readonly Item[] | Promise<readonly Item[]>): Promise<readonly Item[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<readonly Item[]>((resolve) => {
    timer = setTimeout(() => resolve([]), patienceMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(list), tooLate]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

/** Lists the prompts of a namespace. As for tools, the name of a server's prompt includes the namespace. */
async function listPrompts(namespace: Namespace): Promise<readonly Prompt[]> {
  const prompts = (await listed(() => namespace.prompts())).filter(isUsable<Prompt>);
  return namespace.kind === 'connection' ? prompts.map((prompt) => prefixed(prompt, namespace.name)) : prompts;
}

const renamed = new WeakMap<Prompt, Prompt>();

function prefixed(prompt: Prompt, namespace: string): Prompt {
  let copy = renamed.get(prompt);
  if (copy === undefined) {
    const prepare: Prompt['prepare'] = (variables, resources) => prompt.prepare(variables, resources);
    copy = { ...prompt, name: `${namespace}_${prompt.name}`, prepare };
    renamed.set(prompt, copy);
  }
  return copy;
}

/** Indexes items by key, in list order. If a key occurs twice, the first item wins. */
function firstOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return found;
}

function toServed(template: ResourceTemplate): ServedResourceTemplate {
  const { uriTemplate, name, description, type } = template;
  return {
    uriTemplate,
    name,
    ...(description === undefined ? {} : { description }),
    type,
    read: (_variables, signal, uri) => {
      const resource = template.resolve(uri);
      if (!resource) throw new Error('it has another format');
      return resource.read(signal);
    },
  };
}

function isUsable<Item extends object>(item: Item | ItemProblem): item is Item {
  return !('problem' in item);
}
