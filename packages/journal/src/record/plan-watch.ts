import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CallInfo } from '@haft/core';
import { isUnderProvider } from '@haft/core/registry';
import { confine } from '@haft/sandbox';

/** What is looked at before and after a call: nothing, everything that is watched, or these real absolute paths. */
export type WatchPlan = 'nothing' | 'everything' | readonly string[];

/** How closely a call is watched; `declared` looks at what its tool says it writes. */
export type Watch = 'nothing' | 'declared' | 'everything';

/** More paths than that cost more than looking at everything. */
const maxPaths = 200;

/**
 * How closely a call is watched when nobody says otherwise. Tools that came at run time (plugins, MCP servers, generated ones)
 * are believed nothing: everything is looked at around each of their calls.
 */
export function chooseWatch({ tool, provider }: CallInfo): Watch {
  if (isUnderProvider(provider, 'dynamic')) return 'everything';
  if (tool.traits.readOnly || tool.traits.sideEffects === 'none' || tool.traits.sideEffects === 'read')
    return 'nothing';
  return tool.footprint ? 'declared' : 'everything';
}

/** The paths that a call says it writes; `everything` when it names no bounds or can't be asked. */
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

/** The paths of files and folders that a call declares to write; undefined when that is no list of paths. */
export function declaredWrites({ tool, arguments: given }: CallInfo, cwd: string): readonly string[] | undefined {
  try {
    const { writes } = tool.footprint!(given, { cwd });
    if (writes.includes('*')) return undefined;
    return writes.flatMap((key) => (key.startsWith('file:') ? [withoutSlash(key.slice('file:'.length))] : []));
  } catch {
    return undefined;
  }
}

/** Where a path leads, and, where it is a link, the link itself. */
export async function findRealPaths(path: string): Promise<readonly string[]> {
  const folder = await confine('unrestricted', dirname(path));
  const own = folder.ok ? (folder.path + path.slice(dirname(path).length)).replace(/^\/\//, '/') : undefined;
  // The usual case, with half the work: what is no link leads nowhere else.
  if (own !== undefined && isNoLink(own)) return [own];
  const target = await confine('unrestricted', path);
  return [...new Set([...(own === undefined ? [] : [own]), ...(target.ok ? [target.path] : [])])];
}

/** Whether a path below a real folder is known to be that of no link; what is not there is none. */
function isNoLink(path: string): boolean {
  // Elsewhere a name may be found in another spelling than its own.
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
