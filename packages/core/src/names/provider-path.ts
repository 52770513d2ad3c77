/** Provider of tools that manage other tools: reserved, and it outranks every other. */
export const lifecycleProvider = 'lifecycle';

/** Provider of tools registered without one. */
export const localProvider = 'local';

const providerPattern = /^[a-z0-9][a-zA-Z0-9._-]*(?:\/[a-zA-Z0-9._@-]+)*$/;

/** Tells whether a text can be a provider path, such as `dynamic/plugin/weather`. */
export function isProviderPath(path: string): boolean {
  return path.length <= 200 && providerPattern.test(path);
}

/** Tells whether a provider is the one named by `prefix` or below it: `dynamic` covers `dynamic/mcp/github`. */
export function isUnderProvider(provider: string, prefix: string): boolean {
  return provider === prefix || provider.startsWith(`${prefix}/`);
}
