import { listFolder, type ScanBudget } from './list-folder.ts';
import { createPathAliases } from './path-aliases.ts';
import type { ProtectedPaths } from './protected-paths.ts';

/** The files that a program takes when it reads a folder recursively. */
export interface TreeReading {
  /** True if it takes names with a leading dot. */
  readonly hidden: boolean;
  /** Returns whether it takes a file of this name. Default: all names. */
  readonly takes?: (name: string) => boolean;
  /** True if it also passes on links, which the next program then follows. */
  readonly links?: true;
  /** True if it takes only files that git tracks. */
  readonly isTracked?: boolean;
}

const passedOver: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Scans a folder for protected files that a program would find below it. Resolves to `none`, `some`, or `too much` if
 * the folder is too large to scan. Skips folders of dependencies and of version control.
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
