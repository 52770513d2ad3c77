import type { PluginCapabilities } from '../../capabilities.ts';

/** What every tool may import: what computes, and reaches nothing. */
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
 * What a tool may import: what computes, what goes with its capabilities, and what the program adds. It says what a tool is
 * written with; what it reaches is limited by where it runs.
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
