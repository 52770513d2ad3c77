import { dirname } from 'node:path';
import { statConfined } from '@haft/sandbox';
import type { FilePlace } from '../file-errors.ts';

/** The folders that have to be made before a file can be, innermost first. */
export async function findMissingFolders({ workspace, path }: FilePlace): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const status = await statConfined(workspace.writeRoots, folder);
    if (status.ok || status.code !== 'NOT_FOUND') break;
    missing.push(folder);
  }
  return missing;
}
