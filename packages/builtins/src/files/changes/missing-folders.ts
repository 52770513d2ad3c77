import { statConfined } from '@haft/sandbox';
import type { FilePlace } from '../file-errors.ts';
import { findFirst, foldersAbove } from '../nearest-folder.ts';

/** The folders that have to be made before a file can be, innermost first. */
export async function findMissingFolders({ workspace, path }: FilePlace): Promise<readonly string[]> {
  const folders = foldersAbove(path);
  const isThere = async (folder: string): Promise<boolean> => {
    const status = await statConfined(workspace.writeRoots, folder);
    return status.ok || status.code !== 'NOT_FOUND';
  };
  return folders.slice(0, await findFirst(folders, isThere));
}
