import { type ToolRegistry } from '@haft/core';
import { isUnderProvider, lifecycleProvider } from '@haft/core/registry';

/** A name that a plugin claims and another provider owns. */
export interface NameConflict {
  readonly name: string;
  readonly holder: string;
}

/**
 * The first of these names that the provider may not have: a lifecycle tool's never, another dynamic provider's never, any
 * other's only when the name is in `mayShadow`.
 */
export function findNameConflict(
  registry: ToolRegistry,
  provider: string,
  names: readonly string[],
  reserved: readonly string[],
  mayShadow: readonly string[],
): NameConflict | undefined {
  for (const name of names) {
    if (reserved.includes(name)) return { name, holder: lifecycleProvider };
    const holder = registry.providerFor(name);
    if (holder === undefined || holder === provider) continue;
    const dynamic = isUnderProvider(holder, 'dynamic') || isUnderProvider(holder, lifecycleProvider);
    if (dynamic || !mayShadow.includes(name)) return { name, holder };
  }
  return undefined;
}
