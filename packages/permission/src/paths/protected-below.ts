import { listFolder, type ScanBudget } from './list-folder.ts';
import { createPathAliases } from './path-aliases.ts';
import type { ProtectedPaths } from './protected-paths.ts';

/** What a program that reads a folder and all below it takes of it. */
export interface TreeReading {
  /** Whether it takes names that begin with a dot. */
  readonly hidden: boolean;
  /** Whether it takes a file of this name; default all. */
  readonly takes?: (name: string) => boolean;
  /** The tool also passes on links, and the program that opens them follows them. */
  readonly links?: true;
  /** It takes no other files than those that git keeps. */
  readonly isTracked?: boolean;
}

const passedOver: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Finds out whether a program would come across a protected file below a folder; `too much` when the folder is too large to
 * tell. Folders of dependencies and of version control are passed over.
 */
export async function findProtectedBelow(
  folder: string,
  isProtected: ProtectedPaths,
  { hidden, takes, links }: TreeReading,
  room: ScanBudget,
): Promise<'none' | 'some' | 'too much'> {
  const placesOf = createPathAliases(isProtected);
  const pending = [folder];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const entries = await listFolder(path, room);
    if (!entries) return 'too much';
    for (const { name, isFolder, isLink } of entries) {
      if (name.startsWith('.') && !hidden) continue;
      const below = path === '/' ? `/${name}` : `${path}/${name}`;
      if (isFolder) {
        if (!passedOver.has(name)) pending.push(below);
      } else if (takes?.(name) ?? true) {
        const places = isLink && links ? await placesOf(below) : [below];
        if (places.some((place) => isProtected(place) !== undefined)) return 'some';
      }
    }
  }
  return 'none';
}
