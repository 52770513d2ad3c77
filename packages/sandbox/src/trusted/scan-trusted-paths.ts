import { lstatSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { appendName } from '../paths/append-name.ts';
import { foldPath } from '../protection/path-protection.ts';
import { trustedPathGroups } from '../protection/protected-globs.ts';

/** What a look at a root finds. */
export interface TrustedScan {
  /** Paths of the list of trusted paths, the outermost first, without folders of git. */
  readonly paths: readonly string[];
  /** Folders that are not trusted themselves and hold some of them by name, as `.yarn` holds `.yarn/releases`. */
  readonly holders: readonly string[];
  /** Folders that are the top of a repository, or are one themselves. */
  readonly repositories: readonly string[];
  /** False when a limit ended the search. */
  readonly isComplete: boolean;
}

/** What one folder holds, as far as it is looked for. */
interface KnownFolder {
  readonly signature: string;
  readonly folders: readonly string[];
  readonly trusted: readonly string[];
  readonly isRepository: boolean;
}

const defaultMaxFolders = 2_000;
const maxFound = 400;
const maxCachedFiles = 20_000;
const foldersInTurn = 100;
// A folder that changed so recently can change again and look the same.
const tickMs = 2_100;
const passedOver: ReadonlySet<string> = new Set(['node_modules', '.git']);
const known = new Map<string, KnownFolder>();

/** Paths below a folder by their first name, folded; the name alone has an empty path. */
const pathsByName = new Map<string, readonly string[]>();
const suffixes = trustedPathGroups.flatMap(({ suffixes: ends = [] }) => ends.map(foldPath));
for (const path of trustedPathGroups.flatMap(({ names = [] }) => names)) {
  const [first = '', ...rest] = path.split('/');
  const name = foldPath(first);
  pathsByName.set(name, [...(pathsByName.get(name) ?? []), rest.join('/')]);
}

/**
 * Looks through a root for what is trusted, level by level, and into a limited number of folders: a folder that has not changed since the
 * last look is not read again. Links and `node_modules` are passed over.
 */
export async function scanTrustedPaths(root: string, maxFolders: number = defaultMaxFolders): Promise<TrustedScan> {
  const pending = [root];
  let isComplete = true;
  const paths: string[] = [];
  const holders: string[] = [];
  const repositories: string[] = [];
  for (let index = 0; index < pending.length && index < maxFolders; index += 1) {
    if (index % foldersInTurn === foldersInTurn - 1) await nextTurn();
    const folder = pending[index]!;
    const found = lookInto(folder);
    if (!found) continue;
    const room = maxFolders - pending.length;
    for (const name of found.folders.slice(0, room)) pending.push(appendName(folder, name));
    isComplete &&= found.folders.length <= room && paths.length + found.trusted.length <= maxFound;
    for (const path of found.trusted.slice(0, maxFound - paths.length)) {
      paths.push(appendName(folder, path));
      const [first = path, second] = path.split('/');
      if (second !== undefined) holders.push(appendName(folder, first));
    }
    if (found.isRepository) repositories.push(folder);
  }
  return { paths, holders, repositories, isComplete };
}

function lookInto(folder: string): KnownFolder | undefined {
  try {
    const { dev, ino, mtimeMs, ctimeMs } = lstatSync(folder);
    const signature = [dev, ino, mtimeMs, ctimeMs].join(':');
    const former = known.get(folder);
    if (former?.signature === signature) return former;
    const found = { signature, ...readFolder(folder) };
    if (ctimeMs < Date.now() - tickMs) {
      if (known.size >= maxCachedFiles) known.clear();
      known.set(folder, found);
    }
    return found;
  } catch {
    return undefined;
  }
}

function readFolder(folder: string): Omit<KnownFolder, 'signature'> {
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
      if (entry.isDirectory() && !passedOver.has(folded)) folders.push(name);
    }
  }
  const isRepository = names.has('.git') || (names.has('head') && (names.has('objects') || names.has('commondir')));
  return { folders, trusted, isRepository };
}
