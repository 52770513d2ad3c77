import type { PluginLoader } from '@haft/dynamic-tools';
import type { Namespace } from '../catalogue/item.ts';

/** Returns one namespace with the prompts and resources of each served plugin. */
export function pluginNamespaces(loader: PluginLoader | undefined): readonly Namespace[] {
  if (!loader) return [];
  const prompts = new Map(loader.prompts().map((prompt) => [prompt.name, prompt]));
  const resources = new Map(loader.resources().map((resource) => [resource.uri, resource]));
  return loader
    .plugins()
    .filter((plugin) => plugin.prompts.length + plugin.resources.length > 0)
    .map((plugin) => ({
      name: plugin.id,
      kind: 'plugin',
      prompts: () => plugin.prompts.flatMap((name) => prompts.get(name) ?? []),
      resources: () => plugin.resources.flatMap((uri) => resources.get(uri) ?? []),
    }));
}
