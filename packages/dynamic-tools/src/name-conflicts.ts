import { type ToolRegistry } from '@haft/core';
import { isUnderProvider, lifecycleProvider } from '@haft/core/registry';

/** A name that a plugin claims and another provider owns. */
export interface NameConflict {
  readonly name: string;
  readonly holder: string;
}

/**
 * Returns the first of these names that the provider may not use: a name of a lifecycle tool, of another dynamic
 * provider, or of any other provider unless the name is in `mayShadow`.
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
