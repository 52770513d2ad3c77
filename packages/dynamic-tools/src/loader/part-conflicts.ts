import type { Blocked, PluginSlot } from './slot/plugin-slot.ts';
import type { PluginParts } from '../plugin/parts/create-parts.ts';

type NamedParts = Pick<PluginParts, 'prompts' | 'resources'>;

/** Returns the first prompt or resource of a plugin whose name an active plugin already uses. */
export function findPartConflict(
  slots: Iterable<PluginSlot>,
  slot: PluginSlot,
  parts: NamedParts,
): Blocked | undefined {
  const others = [...slots].filter((other) => other !== slot && other.current);
  for (const part of ['prompt', 'resource'] as const)
    for (const name of namesOf(parts, part)) {
      const holder = holderOfPart(others, part, name);
      if (holder !== undefined) return { part, name, holder };
    }
  return undefined;
}

/** Returns the provider path of the plugin that has a prompt with this name, or a resource with this URI. */
export function holderOfPart(
  slots: Iterable<PluginSlot>,
  part: 'prompt' | 'resource',
  name: string,
): string | undefined {
  for (const { current, provider } of slots) if (current && namesOf(current, part).includes(name)) return provider;
  return undefined;
}

function namesOf({ prompts, resources }: NamedParts, part: 'prompt' | 'resource'): readonly string[] {
  return part === 'prompt' ? prompts.map(({ name }) => name) : resources.map(({ uri }) => uri);
}
