import type { PluginCapabilities } from '../../capabilities.ts';

/** Modules that every tool may import: they only compute and access nothing. */
export const plainModules: readonly string[] = [
  'node:assert',
  'node:buffer',
  'node:crypto',
  'node:events',
  'node:path',
  'node:querystring',
  'node:string_decoder',
  'node:timers/promises',
  'node:url',
  'node:util',
  'node:zlib',
];

/**
 * Returns the modules that a tool may import: those that only compute, those that its capabilities need, and those that
 * the program adds. This limits how a tool is written. What it can access is limited by its process.
 */
export function allowedModules(
  { fs = {}, hosts = [], exec = false }: PluginCapabilities,
  added: readonly string[],
): readonly string[] {
  const { read = [], write = [] } = fs;
  return [
    ...plainModules,
    ...(read.length + write.length > 0 ? ['node:fs', 'node:fs/promises'] : []),
    ...(hosts.length > 0 ? ['node:dns/promises', 'node:http', 'node:https', 'node:net', 'node:tls'] : []),
    ...(exec ? ['node:child_process'] : []),
    ...added,
  ];
}
