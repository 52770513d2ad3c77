import { dirname } from 'node:path';
import type { Workspace } from '@haft/core';
import { statConfined } from '@haft/sandbox';
import { showPath } from './show-path.ts';

/** Names the nearest folder above a path that can be listed; never one outside the roots. */
export async function hintWhereToLook({ cwd, readRoots }: Workspace, path: string): Promise<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const status = await statConfined(readRoots, folder);
    if (status.ok && status.kind === 'directory')
      return `Call ls with path "${showPath(cwd, folder)}" to see what is there.`;
    if (folder === dirname(folder)) return 'Choose another path.';
  }
}
