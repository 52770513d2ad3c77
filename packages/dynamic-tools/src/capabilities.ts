import { isRecord } from './copy-data.ts';
/** The capabilities of an isolated plugin, in addition to computing and reading its own files. */
export interface PluginCapabilities {
  /** Files and folders, absolute or relative to the plugin's folder. */
  readonly fs?: { readonly read?: readonly string[]; readonly write?: readonly string[] };
  /** Hosts that the plugin connects to. One host opens the whole network, because names are not enforced. */
  readonly hosts?: readonly string[];
  /** Whether the plugin may start programs. Only the jail limits them. */
  readonly exec?: boolean;
  /** Names of environment variables to pass to the plugin. */
  readonly env?: readonly string[];
  /** Whether its hooks may see, change and deny the calls and turns of others. */
  readonly hooks?: boolean;
}

const lists: readonly (readonly [key: string, parent: 'fs' | undefined])[] = [
  ['read', 'fs'],
  ['write', 'fs'],
  ['hosts', undefined],
  ['env', undefined],
];
const maxEntries = 100;

/** Reads the capabilities of a manifest or an option, or returns what is wrong with them. */
export function readCapabilities(given: unknown): PluginCapabilities | string {
  if (!isRecord(given)) return 'capabilities must be an object such as { "fs": { "read": ["./data"] } }';
  const stray = strayKey(given, ['fs', 'hosts', 'exec', 'env', 'hooks']);
  if (stray !== undefined) return `unknown capability ${stray} (expected fs, hosts, exec, env or hooks)`;
  const { fs = {}, exec = false, hooks = false } = given;
  if (!isRecord(fs) || strayKey(fs, ['read', 'write']) !== undefined)
    return 'capabilities.fs must be an object with read, write or both';
  if (typeof exec !== 'boolean') return 'capabilities.exec must be true or false';
  if (typeof hooks !== 'boolean') return 'capabilities.hooks must be true or false';
  for (const [key, parent] of lists) {
    const list = parent === undefined ? given[key] : fs[key];
    if (list !== undefined && !isTextList(list))
      return `capabilities.${parent === undefined ? '' : `${parent}.`}${key} must be an array of at most ${maxEntries} strings`;
  }
  return given;
}

function strayKey(given: Readonly<Record<string, unknown>>, known: readonly string[]): string | undefined {
  return Object.keys(given).find((key) => !known.includes(key));
}

function isTextList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= maxEntries &&
    value.every((item) => typeof item === 'string' && item !== '' && !item.includes('\0'))
  );
}
