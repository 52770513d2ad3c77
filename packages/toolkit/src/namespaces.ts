import { isUnderProvider } from '@haft/core/registry';
import { outputToolName } from '@haft/runner';
import { ToolkitError } from './toolkit-error.ts';

/** The namespace of the program's own items: built-in tools and the program's tools, prompts and resources. */
export const builtinNamespace = 'builtin';
/** The namespace of prompts and resources in the store. It never contains tools. */
export const userNamespace = 'user';
/** The namespace of tools that a model wrote at run time. */
export const generatedNamespace = 'generated';

/** Names that connections and plugins cannot use as a namespace. */
export const reservedNamespaces: readonly string[] = [
  builtinNamespace,
  userNamespace,
  generatedNamespace,
  'dynamic',
  'lifecycle',
];

/** Tool names reserved for a special purpose: the output tool, which returns a model's final answer. */
export const reservedNames: readonly string[] = [outputToolName];

/** The provider path of connection tools and of plugin tools. */
export const connectionProvider = 'dynamic/mcp';
const pluginProvider = 'dynamic/plugin';

/** The kind of a namespace. */
export type NamespaceKind = 'builtin' | 'connection' | 'plugin' | 'generated' | 'user';

/** Returns the namespace for a provider path. */
export function namespaceOf(provider: string): { readonly name: string; readonly kind: NamespaceKind } {
  for (const [prefix, kind] of [
    [connectionProvider, 'connection'],
    [pluginProvider, 'plugin'],
  ] as const) {
    if (provider.startsWith(`${prefix}/`)) return { name: provider.slice(prefix.length + 1), kind };
  }
  return isUnderProvider(provider, 'dynamic')
    ? { name: generatedNamespace, kind: 'generated' }
    : { name: builtinNamespace, kind: 'builtin' };
}

/** Returns the name of a tool inside its namespace. Connection tools are registered as `connection_tool`. */
export function bareName(namespace: string, kind: NamespaceKind, name: string): string {
  const prefix = `${namespace}_`;
  return kind === 'connection' && name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

const connectionName = /^[a-z0-9](?:[a-z0-9-]{0,22}[a-z0-9])?$/;

/**
 * Validates the namespace of a connection.
 * @throws ToolkitError `BAD_PARAMETER` if the name is not a valid namespace.
 */
export function checkNamespace(name: string): void {
  if (!connectionName.test(name))
    throw new ToolkitError(
      'BAD_PARAMETER',
      `the namespace ${JSON.stringify(name)} must be 1 to 24 lower-case letters, digits and "-", such as "github"`,
    );
  if (reservedNamespaces.includes(name))
    throw new ToolkitError('BAD_PARAMETER', `the namespace ${name} is reserved; choose another, such as "my-${name}"`);
}

const itemName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/**
 * Validates the name of a prompt.
 * @throws ToolkitError `BAD_PARAMETER` if the name is not valid.
 */
export function checkItemName(kind: 'prompt', name: string): void {
  if (typeof name !== 'string' || !itemName.test(name))
    throw new ToolkitError(
      'BAD_PARAMETER',
      `the ${kind} name ${JSON.stringify(name)} must be 1 to 64 letters, digits, "_" and "-", beginning with a letter`,
    );
  if (reservedNames.includes(name)) throw new ToolkitError('BAD_PARAMETER', `the name ${name} is reserved`);
}
