import type { Prompt, Resource } from '@haft/core';
import type { HookSet } from '@haft/core/hooks';
import type { PluginSlot } from './slot/plugin-slot.ts';

/** The prompts, resources and hooks of the loaded plugins. */
export interface ServedParts {
  readonly prompts: () => readonly Prompt[];
  readonly resources: () => readonly Resource[];
  /** The hooks, sorted by plugin id, so that their order does not depend on the order of loading. */
  readonly hooks: () => readonly HookSet[];
}

/** Collects the parts of the loaded plugins. Returns the same arrays until `invalidate` is called. */
export function createServedParts(
  slots: ReadonlyMap<string, PluginSlot>,
): ServedParts & { readonly invalidate: () => void } {
  let gathered: ReturnType<typeof gather> | undefined;
  const look = (): ReturnType<typeof gather> => (gathered ??= gather(slots.values()));
  return {
    prompts: () => look().prompts,
    resources: () => look().resources,
    hooks: () => look().hooks,
    invalidate: () => void (gathered = undefined),
  };
}

function gather(slots: Iterable<PluginSlot>): {
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly hooks: readonly HookSet[];
} {
  const served = [...slots].sort((a, b) => compare(a.id, b.id));
  return Object.freeze({
    prompts: Object.freeze(
      served.flatMap(({ current }) => current?.prompts ?? []).sort((a, b) => compare(a.name, b.name)),
    ),
    resources: Object.freeze(
      served.flatMap(({ current }) => current?.resources ?? []).sort((a, b) => compare(a.uri, b.uri)),
    ),
    hooks: served.flatMap(({ id, current }) =>
      current?.hooks ? [{ ...current.hooks, owner: `the plugin ${id}` }] : [],
    ),
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
