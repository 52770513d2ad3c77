import { statConfined } from '@haft/sandbox';
import type { FilePlace } from '../file-errors.ts';
import { findFirst, foldersAbove } from '../nearest-folder.ts';

/** Returns the missing parent folders of a file, innermost first. */
export async function findMissingFolders({ workspace, path }: FilePlace): Promise<readonly string[]> {
  const folders = foldersAbove(path);
  const isThere = async (folder: string): Promise<boolean> => {
    const status = await statConfined(workspace.writeRoots, folder);
    return status.ok || status.code !== 'NOT_FOUND';
  };
  return folders.slice(0, await findFirst(folders, isThere));
}
