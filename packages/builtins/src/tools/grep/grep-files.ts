import type { FileSearch, FileSearchResult } from './grep-file-search.ts';
import type { ToolContext, Workspace } from '@haft/core';
import { openConfined } from '@haft/sandbox';
import type { WalkStart } from '../../search/walk/find-walk-start.ts';
import { joinName } from '../../search/walk/join-walked-name.ts';
import type { PatternRunner } from '../../search/text/text-search-runner.ts';
import { filterNames } from '../../search/names/filter-names.ts';
import { keepPermitted } from '../../search/walk/keep-permitted-files.ts';
import { createWalkReport, walkFolders, type WalkedFolder, type WalkReport } from '../../search/walk/walk-folders.ts';
import { startSearchSession } from './grep-session.ts';

/** The location of a search, for messages. */
export interface SearchPlace {
  readonly walk: WalkReport;
  /** The title of the permission question. */
  readonly title: string;
}

/** Searches a file, or every file below a directory except ignored files and files that the permissions deny. */
export async function searchFiles(
  search: FileSearch,
  start: WalkStart,
  workspace: Workspace,
  context: ToolContext,
  runner: PatternRunner,
): Promise<FileSearchResult> {
  const walk = createWalkReport();
  const place = { walk, title: `Search ${start.shown}` };
  if (start.kind !== 'directory') {
    const session = startSearchSession(search, workspace, context, runner);
    const file = await openConfined(workspace.readRoots, start.path, { expectedPath: start.path });
    try {
      if (file.ok) await session.takeFile(file);
      else session.fail(start.path, file.code);
      return await session.finish(walk, false);
    } finally {
      if (file.ok) file.close();
      session.dispose();
    }
  }
  const { noIgnore } = search;
  const folders = walkFolders(workspace.readRoots, start.path, walk, context.signal, { noIgnore });
  return searchFolders(search, folders, place, workspace, context, runner);
}

/** Searches the files in directories that match the filter and that the permissions allow. */
export async function searchFolders(
  search: FileSearch,
  folders: AsyncIterable<WalkedFolder>,
  { walk, title }: SearchPlace,
  workspace: Workspace,
  context: ToolContext,
  runner: PatternRunner,
): Promise<FileSearchResult> {
  const { filter, isOver } = search;
  const { signal } = context;
  const session = startSearchSession(search, workspace, context, runner);
  let isPartial = false;
  try {
    for await (const folder of folders) {
      const names = await filterNames(filter, folder, isOver, signal);
      const paths = names.map((name) => joinName(folder.path, name));
      const permitted = await keepPermitted(context, title, paths);
      session.refuse(paths.length - permitted.length);
      await session.takeFolder(
        folder.open,
        permitted.map((path) => path.slice(joinName(folder.path, '').length)),
      );
      isPartial = isOver();
      if (isPartial) break;
    }
    return await session.finish(walk, isPartial);
  } finally {
    session.dispose();
  }
}
