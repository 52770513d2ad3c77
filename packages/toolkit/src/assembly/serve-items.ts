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
export async function serveItems(namespaces: readonly Namespace[], events: EventQueue): Promise<ServedItems> {
  const library = createLibrary();
  const names = new Set(namespaces.map(({ name }) => name));
  const taken = new Map<string, ResourceTemplate>();

  const takePrompts = async (): Promise<void> => {
    const lists = await Promise.all(namespaces.map(async (namespace) => namespace.prompts()));
    const found = firstOf(lists.flat().filter(isUsable<Prompt>), ({ name }) => name);
    for (const { name } of library.prompts) if (!found.has(name)) library.removePrompt(name);
    for (const prompt of found.values()) if (!library.prompts.includes(prompt)) library.addPrompt(prompt);
  };
  const takeResources = async (): Promise<void> => {
    const lists = await Promise.all(namespaces.map(async (namespace) => namespace.resources()));
    const usable = lists.flat().filter(isUsable<Resource | ResourceTemplate>);
    const resources = firstOf(
      usable.flatMap((one) => (isResourceTemplate(one) ? [] : [one])),
      ({ uri }) => uri,
    );
    for (const { uri } of library.resources) if (!resources.has(uri)) library.removeResource(uri);
    for (const resource of resources.values()) if (!library.resources.includes(resource)) library.addResource(resource);
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
    if (!('namespace' in event) || !names.has(event.namespace)) return;
    if (event.type === 'prompt-list-changed') await takePrompts();
    else if (event.type === 'resource-list-changed') await takeResources();
    else if (event.type === 'resource-updated') {
      await takeResources();
      library.notifyUpdated(event.uri);
    }
  });
  return { library, stop };
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
