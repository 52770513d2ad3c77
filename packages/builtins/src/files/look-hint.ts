import type { Workspace } from '@haft/core';
import { statConfined } from '@haft/sandbox';
import { findFirst, foldersAbove } from './nearest-folder.ts';
import { showPath } from '../show-path.ts';

/** Names the nearest folder above a path that can be listed; never one outside the roots. */
export async function hintWhereToLook({ cwd, readRoots }: Workspace, path: string): Promise<string> {
  const folders = foldersAbove(path);
  const statuses = new Map<string, Awaited<ReturnType<typeof statConfined>>>();
  // What lies above a folder that is there, or outside the roots, is the one or the other as well.
  const nearest = await findFirst(folders, async (folder) => {
    const status = await statConfined(readRoots, folder);
    statuses.set(folder, status);
    return status.ok ? status.kind === 'directory' : status.code === 'OUTSIDE_ROOTS';
  });
  const folder = folders[nearest];
  if (folder !== undefined && statuses.get(folder)?.ok === true)
    return `Call ls with path "${showPath(cwd, folder)}" to see what is there.`;
  return 'Choose another path.';
}
