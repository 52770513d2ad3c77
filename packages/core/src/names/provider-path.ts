/** The reserved provider of tools that manage other tools. It outranks all other providers. */
export const lifecycleProvider = 'lifecycle';

/** Provider of tools registered without a provider. */
export const localProvider = 'local';

const providerPattern = /^[a-z0-9][a-zA-Z0-9._-]*(?:\/[a-zA-Z0-9._@-]+)*$/;

/** Checks whether a text is a valid provider path, such as `dynamic/plugin/weather`. */
export function isProviderPath(path: string): boolean {
  return path.length <= 200 && providerPattern.test(path);
}

/**
 * Checks whether a provider equals `prefix` or is below it: `dynamic` covers `dynamic/mcp/github`.
 *
 * @example
 * import { isUnderProvider } from '@haft/core/registry';
 * isUnderProvider('dynamic/mcp/github', 'dynamic'); // => true
 * isUnderProvider('dynamics', 'dynamic'); // => false
 */
export function isUnderProvider(provider: string, prefix: string): boolean {
  return provider === prefix || provider.startsWith(`${prefix}/`);
}
