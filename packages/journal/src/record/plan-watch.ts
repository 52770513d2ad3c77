import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CallInfo } from '@haft/core';
import { isUnderProvider } from '@haft/core/registry';
import { confine } from '@haft/sandbox';

/** Paths to scan before and after a call: none, all watched folders, or these real absolute paths. */
export type WatchPlan = 'nothing' | 'everything' | readonly string[];

/** How closely a call is watched. `declared` scans the paths in the tool's footprint. */
export type Watch = 'nothing' | 'declared' | 'everything';

/** Above this number of paths, a full scan is cheaper. */
const maxPaths = 200;

/**
 * Returns the default for a call. Footprints of tools that were added at run time (plugins, MCP servers, generated
 * tools) are not trusted: each of their calls is scanned completely.
 */
export function chooseWatch({ tool, provider }: CallInfo): Watch {
  if (isUnderProvider(provider, 'dynamic')) return 'everything';
  if (tool.traits.readOnly || tool.traits.sideEffects === 'none' || tool.traits.sideEffects === 'read')
    return 'nothing';
  return tool.footprint ? 'declared' : 'everything';
}

/** Returns the paths that a call declares to write, or `everything` if it declares none or its footprint throws. */
export async function planWatch(
  info: CallInfo,
  watch: Watch,
  cwd: string,
  roots: readonly string[],
): Promise<WatchPlan> {
  if (watch !== 'declared') return watch;
  const writes = declaredWrites(info, cwd);
  if (writes === undefined || writes.length > maxPaths) return 'everything';
  const paths = new Set<string>();
  for (const path of writes) {
    for (const real of await findRealPaths(path)) {
      if (roots.includes(real)) return 'everything';
      paths.add(real);
    }
  }
  return paths.size === 0 ? 'nothing' : [...paths];
}

/** Returns the declared files and folders of a call, or undefined if the footprint is not a list of paths. */
export function declaredWrites({ tool, arguments: given }: CallInfo, cwd: string): readonly string[] | undefined {
  try {
    const { writes } = tool.footprint!(given, { cwd });
    if (writes.includes('*')) return undefined;
    return writes.flatMap((key) => (key.startsWith('file:') ? [withoutSlash(key.slice('file:'.length))] : []));
  } catch {
    return undefined;
  }
}

/** Returns the target of a path and, for a link, the link itself. */
export async function findRealPaths(path: string): Promise<readonly string[]> {
  const folder = await confine('unrestricted', dirname(path));
  const own = folder.ok ? (folder.path + path.slice(dirname(path).length)).replace(/^\/\//, '/') : undefined;
  // Common case at half the cost: a path that is not a link has no other target.
  if (own !== undefined && isNoLink(own)) return [own];
  const target = await confine('unrestricted', path);
  return [...new Set([...(own === undefined ? [] : [own]), ...(target.ok ? [target.path] : [])])];
}

/** Returns whether a path in a real folder is known not to be a link. A missing path is not a link. */
function isNoLink(path: string): boolean {
  // Other systems may find a name under another spelling.
  if (process.platform !== 'linux' || /(?:^|\/)\.{0,2}$/.test(path)) return false;
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true;
  } catch {
    return false;
  }
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
