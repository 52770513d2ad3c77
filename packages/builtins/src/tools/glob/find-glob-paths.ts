import type { ToolContext, Workspace } from '@haft/core';
import { filterNames } from '../../search/names/filter-names.ts';
import { joinName } from '../../search/walk/join-walked-name.ts';
import type { PathFilter } from '../../search/names/path-filter.ts';
import { keepPermitted } from '../../search/walk/keep-permitted-files.ts';
import type { WalkedFolder } from '../../search/walk/walk-folders.ts';
import { showPath } from '../../show-path.ts';

/** The options of a path search. */
export interface PathSearch {
  readonly filter: PathFilter;
  readonly includeDirectories: boolean;
  /** Maximum number of stored paths. All matches are counted. */
  readonly limit: number;
  readonly isOver: (found: FoundPaths) => boolean;
  readonly workspace: Workspace;
  readonly context: ToolContext;
}

/** The result of a path search. */
export interface FoundPaths {
  /** Paths in the form for models. A directory ends with a slash. */
  readonly paths: readonly string[];
  readonly total: number;
  /** Number of files that the permissions deny. */
  readonly refused: number;
  /** Whether the search stopped before it was complete. */
  readonly isPartial: boolean;
}

/** Finds the paths of a directory walk that match the filter and that the permissions allow. */
export async function findPaths(search: PathSearch, folders: AsyncIterable<WalkedFolder>): Promise<FoundPaths> {
  const { filter, includeDirectories, limit, workspace, context } = search;
  const { signal } = context;
  const paths: string[] = [];
  const found = { paths, total: 0, refused: 0, isPartial: false };
  const isOver = (): boolean => search.isOver(found);
  for await (const folder of folders) {
    const inside = await filterNames(filter, folder, isOver, signal);
    const matching = inside.map((name) => joinName(folder.path, name));
    const title = `Find files in ${showPath(workspace.cwd, folder.path)}`;
    const permitted = await keepPermitted(context, title, matching);
    found.refused += matching.length - permitted.length;
    const shown = permitted.slice(0, limit - paths.length).map((path) => showPath(workspace.cwd, path));
    found.total += permitted.length;
    if (includeDirectories) {
      const names = await filterNames(filter, { below: folder.below, files: folder.folders }, isOver, signal);
      found.total += names.length;
      for (const name of names.slice(0, Math.max(0, limit - paths.length - shown.length)))
        shown.push(`${showPath(workspace.cwd, joinName(folder.path, name))}/`);
    }
    paths.push(...shown);
    found.isPartial = isOver();
    if (found.isPartial) break;
  }
  return found;
}
