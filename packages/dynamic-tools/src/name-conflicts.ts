import { type ToolRegistry } from '@haft/core';
import { isUnderProvider, lifecycleProvider, localProvider } from '@haft/core/registry';

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
    if (!isShadowable(holder) || !mayShadow.includes(name)) return { name, holder };
  }
  return undefined;
}

/** Returns whether the option `mayShadow` can free a name of this provider. */
export function isShadowable(holder: string): boolean {
  return !isUnderProvider(holder, 'dynamic') && !isUnderProvider(holder, lifecycleProvider);
}

/** Describes the owner of a name to developers and models, who need not know provider paths. */
export function describeHolder(holder: string): string {
  const [, kind, ...rest] = holder.split('/');
  if (isUnderProvider(holder, 'dynamic/plugin')) return `the plugin ${rest.join('/')}`;
  if (isUnderProvider(holder, 'dynamic/mcp')) return `the MCP server ${rest.join('/')}`;
  if (isUnderProvider(holder, 'dynamic')) return kind === 'generated' ? 'a generated tool' : `the provider ${holder}`;
  if (isUnderProvider(holder, lifecycleProvider)) return 'a tool that manages other tools';
  return `a tool of the program${holder === localProvider ? '' : ` (${holder})`}`;
}
