import type { Workspace } from '@haft/core';
import { statConfined } from '@haft/sandbox';
import { findFirst, foldersAbove } from './nearest-folder.ts';
import { showPath } from '../show-path.ts';

/** Suggests the nearest parent folder that can be listed. Never suggests a folder outside the roots. */
export async function hintWhereToLook({ cwd, readRoots }: Workspace, path: string): Promise<string> {
  const folders = foldersAbove(path);
  const statuses = new Map<string, Awaited<ReturnType<typeof statConfined>>>();
  // If a folder exists or is outside the roots, the same is true of its parents, so a binary search is correct.
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
