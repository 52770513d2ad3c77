import { lstatSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { appendName } from '../paths/append-path-name.ts';
import { foldPath } from '../protection/path-protection.ts';
import { trustedPathGroups } from '../protection/protected-globs.ts';

/** The result of a scan. */
export interface TrustedScan {
  /** Trusted paths, outermost first, without git directories. */
  readonly paths: readonly string[];
  /** Directories that are not trusted themselves but contain trusted names, as `.yarn` contains `.yarn/releases`. */
  readonly containers: readonly string[];
  /** Directories that are the top of a repository or a git directory. */
  readonly repositories: readonly string[];
  /** False if a limit ended the scan. */
  readonly isComplete: boolean;
}

/** The relevant content of one directory. */
interface ScannedDirectory {
  readonly signature: string;
  readonly folders: readonly string[];
  readonly trusted: readonly string[];
  readonly isRepository: boolean;
}

const defaultMaxDirectories = 2_000;
const maxFound = 400;
const maxCachedFiles = 20_000;
const batchDirectories = 100;
// A directory that changed this recently can change again without changing its signature.
const tickMs = 2_100;
const skippedNames: ReadonlySet<string> = new Set(['node_modules', '.git']);
const cache = new Map<string, ScannedDirectory>();

/** Trusted paths by their first name, folded. The path below it is empty for the name alone. */
const pathsByName = new Map<string, readonly string[]>();
const suffixes = trustedPathGroups.flatMap(({ suffixes: ends = [] }) => ends.map(foldPath));
for (const path of trustedPathGroups.flatMap(({ names = [] }) => names)) {
  const [first = '', ...rest] = path.split('/');
  const name = foldPath(first);
  pathsByName.set(name, [...(pathsByName.get(name) ?? []), rest.join('/')]);
}

/**
 * Scans a root for trusted paths, level by level and in a limited number of directories. Unchanged directories are not
 * read again. Links and `node_modules` are skipped.
 */
export async function scanTrustedPaths(
  root: string,
  maxDirectories: number = defaultMaxDirectories,
): Promise<TrustedScan> {
  const pending = [root];
  let isComplete = true;
  const paths: string[] = [];
  const containers: string[] = [];
  const repositories: string[] = [];
  for (let index = 0; index < pending.length && index < maxDirectories; index += 1) {
    if (index % batchDirectories === batchDirectories - 1) await nextTurn();
    const folder = pending[index]!;
    const found = scanDirectory(folder);
    if (!found) continue;
    const remaining = maxDirectories - pending.length;
    for (const name of found.folders.slice(0, remaining)) pending.push(appendName(folder, name));
    isComplete &&= found.folders.length <= remaining && paths.length + found.trusted.length <= maxFound;
    for (const path of found.trusted.slice(0, maxFound - paths.length)) {
      paths.push(appendName(folder, path));
      const [first = path, second] = path.split('/');
      if (second !== undefined) containers.push(appendName(folder, first));
    }
    if (found.isRepository) repositories.push(folder);
  }
  return { paths, containers, repositories, isComplete };
}

function scanDirectory(folder: string): ScannedDirectory | undefined {
  try {
    const { dev, ino, mtimeMs, ctimeMs } = lstatSync(folder);
    const signature = [dev, ino, mtimeMs, ctimeMs].join(':');
    const cached = cache.get(folder);
    if (cached?.signature === signature) return cached;
    const found = { signature, ...readDirectory(folder) };
    if (ctimeMs < Date.now() - tickMs) {
      if (cache.size >= maxCachedFiles) cache.clear();
      cache.set(folder, found);
    }
    return found;
  } catch {
    return undefined;
  }
}

function readDirectory(folder: string): Omit<ScannedDirectory, 'signature'> {
  const folders: string[] = [];
  const trusted: string[] = [];
  const names = new Set<string>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    const folded = foldPath(name);
    names.add(folded);
    if (folded === '.git' && !entry.isFile()) continue;
    const below = pathsByName.get(folded);
    if (below?.includes('') === true || suffixes.some((suffix) => folded.endsWith(suffix))) trusted.push(name);
    else {
      for (const path of below ?? []) trusted.push(`${name}/${path}`);
      if (entry.isDirectory() && !skippedNames.has(folded)) folders.push(name);
    }
  }
  const isRepository = names.has('.git') || (names.has('head') && (names.has('objects') || names.has('commondir')));
  return { folders, trusted, isRepository };
}
