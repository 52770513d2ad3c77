import { isAbsolute, relative, sep } from 'node:path';
import type { Workspace } from '@haft/core';
import { confine, statConfined } from '@haft/sandbox';

/** The hint for problems that the model can't solve. */
export const missingFolderHint =
  'Nothing can be done there until it exists, and no other folder can replace it. Tell the user.';

/** The message for the developer when no folder is configured. */
export const noWorkspace: string = 'no folder may be used here; pass workspace: createWorkspace({ cwd })';

/** Returns whether the workspace has no roots, as in a dispatcher without a workspace. */
export function hasNoRoots({ readRoots, writeRoots }: Workspace): boolean {
  return readRoots.length === 0 && writeRoots.length === 0;
}

/** Returns whether the working directory is inside a root. */
export async function isInsideRoots({ cwd, readRoots, writeRoots }: Workspace): Promise<boolean> {
  return (await confine(readRoots, cwd)).ok || (await confine(writeRoots, cwd)).ok;
}

/** Returns the problem with the working directory, if it is the reason why a path is missing. */
export async function findMissingFolder({ cwd }: Workspace, path: string): Promise<string | undefined> {
  const below = relative(cwd, path);
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return undefined;
  const status = await statConfined('unrestricted', cwd);
  if (status.ok) return status.kind === 'directory' ? undefined : 'the working directory is not a directory';
  return status.code === 'NOT_FOUND' || status.code === 'NOT_DIRECTORY'
    ? 'the working directory does not exist'
    : undefined;
}
