import { isUnderProvider } from '@haft/core/registry';
import { outputToolName } from '@haft/runner';
import { ToolkitError } from './toolkit-error.ts';

/** The namespace of what the program itself brings: built-in tools, its own tools, prompts and resources. */
export const BuiltinNamespace = 'builtin';
/** The namespace of prompts and resources that are kept in the store; it never has tools. */
export const UserNamespace = 'user';
/** The namespace of tools that a model wrote while the program ran. */
export const generatedNamespace = 'generated';

/** Names that no connection and no plugin can have as its namespace. */
export const ReservedNamespaces: readonly string[] = [
  BuiltinNamespace,
  UserNamespace,
  generatedNamespace,
  'dynamic',
  'lifecycle',
];

/** Names that only what they are reserved for can be added under: the tool by which a model hands in its answer. */
export const ReservedNames: readonly string[] = [outputToolName];

/** Where the toolkit registers tools of connections, and where the plugin loader does those of plugins. */
export const connectionProvider = 'dynamic/mcp';
const pluginProvider = 'dynamic/plugin';

/** What a namespace is: that of the program, of a connection, of a plugin, of generated tools, or the user's. */
export type NamespaceKind = 'builtin' | 'connection' | 'plugin' | 'generated' | 'user';

/** The namespace that tools of a provider path stand in. */
export function namespaceOf(provider: string): { readonly name: string; readonly kind: NamespaceKind } {
  for (const [prefix, kind] of [
    [connectionProvider, 'connection'],
    [pluginProvider, 'plugin'],
  ] as const) {
    if (provider.startsWith(`${prefix}/`)) return { name: provider.slice(prefix.length + 1), kind };
  }
  return isUnderProvider(provider, 'dynamic')
    ? { name: generatedNamespace, kind: 'generated' }
    : { name: BuiltinNamespace, kind: 'builtin' };
}

/** The name that a tool has inside its namespace: tools of a connection are registered as `connection_tool`. */
export function bareName(namespace: string, kind: NamespaceKind, name: string): string {
  const prefix = `${namespace}_`;
  return kind === 'connection' && name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

const connectionName = /^[a-z0-9](?:[a-z0-9-]{0,22}[a-z0-9])?$/;

/** @throws ToolkitError `BAD_PARAMETER` for what can't be the namespace of a connection. */
export function checkNamespace(name: string): void {
  if (!connectionName.test(name))
    throw new ToolkitError(
      'BAD_PARAMETER',
      `the namespace ${JSON.stringify(name)} must be 1 to 24 lower-case letters, digits and "-", such as "github"`,
    );
  if (ReservedNamespaces.includes(name))
    throw new ToolkitError('BAD_PARAMETER', `the namespace ${name} is reserved; choose another, such as "my-${name}"`);
}

const itemName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** @throws ToolkitError `BAD_PARAMETER` for what can't be the name of a prompt. */
export function checkItemName(kind: 'prompt', name: string): void {
  if (typeof name !== 'string' || !itemName.test(name))
    throw new ToolkitError(
      'BAD_PARAMETER',
      `the ${kind} name ${JSON.stringify(name)} must be 1 to 64 letters, digits, "_" and "-", beginning with a letter`,
    );
  if (ReservedNames.includes(name)) throw new ToolkitError('BAD_PARAMETER', `the name ${name} is reserved`);
}
