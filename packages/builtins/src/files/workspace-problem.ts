import { isAbsolute, relative, sep } from 'node:path';
import type { Workspace } from '@haft/core';
import { confine, statConfined } from '@haft/sandbox';

/** The hint when the model can do nothing about it. */
export const missingFolderHint =
  'Nothing can be done there until it exists, and no other folder can replace it. Tell the user.';

/** The message to the developer when no folder was given. */
export const noWorkspace: string = 'no folder may be used here; pass workspace: createWorkspace({ cwd })';

/** Whether the workspace has no roots, as in a dispatcher without a workspace. */
export function hasNoRoots({ readRoots, writeRoots }: Workspace): boolean {
  return readRoots.length === 0 && writeRoots.length === 0;
}

/** Whether the working directory lies in a root. */
export async function isInsideRoots({ cwd, readRoots, writeRoots }: Workspace): Promise<boolean> {
  return (await confine(readRoots, cwd)).ok || (await confine(writeRoots, cwd)).ok;
}

/** What is wrong with the working directory, when that is why a path in it is missing. */
export async function findMissingFolder({ cwd }: Workspace, path: string): Promise<string | undefined> {
  const below = relative(cwd, path);
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return undefined;
  const status = await statConfined('unrestricted', cwd);
  if (status.ok) return status.kind === 'directory' ? undefined : 'the working directory is not a directory';
  return status.code === 'NOT_FOUND' || status.code === 'NOT_DIRECTORY'
    ? 'the working directory does not exist'
    : undefined;
}
