import type { ToolRegistry } from '@haft/core';
import type { EventQueue } from '../events.ts';
import { namespaceOf } from '../namespaces.ts';

interface Difference {
  readonly added: string[];
  readonly removed: string[];
  readonly replaced: string[];
}

/**
 * Emits one event per namespace for each change of the tool registry. Returns a function that stops the notifications.
 */
export function notifyToolChanges(registry: ToolRegistry, events: EventQueue): () => void {
  const places = new Map(registry.names.map((name) => [name, placeOf(registry, name)]));
  return registry.onChange(({ added, removed, replaced }) => {
    const byNamespace = new Map<string, Difference>();
    const note = (namespace: string, kind: keyof Difference, name: string): void => {
      const difference = byNamespace.get(namespace) ?? { added: [], removed: [], replaced: [] };
      byNamespace.set(namespace, difference);
      difference[kind].push(name);
    };
    for (const name of removed) {
      note(places.get(name) ?? '', 'removed', name);
      places.delete(name);
    }
    for (const name of added) note(placeOf(registry, name), 'added', name);
    for (const name of replaced) {
      const [before, now] = [places.get(name), placeOf(registry, name)];
      // A tool replaced by one from another namespace is removed there and added here.
      if (before !== undefined && before !== now) note(before, 'removed', name);
      note(now, before === undefined || before === now ? 'replaced' : 'added', name);
    }
    for (const name of [...added, ...replaced]) places.set(name, placeOf(registry, name));
    for (const [namespace, difference] of byNamespace)
      events.emit({ type: 'tool-list-changed', namespace, ...difference });
  });
}

function placeOf(registry: ToolRegistry, name: string): string {
  return namespaceOf(registry.providerFor(name) ?? '').name;
}
