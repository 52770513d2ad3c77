import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { hashContent, readConfinedFile, removeConfined, renameConfined, type SandboxFailure } from '@haft/sandbox';
import type { FilePlace } from '../file-errors.ts';

/** A file that was moved to a temporary name. */
export interface SetAside {
  readonly ok: true;
  /** Restores its name; false when another file has taken it. */
  readonly putBack: () => Promise<boolean>;
  /** Removes it for good. */
  readonly drop: () => Promise<boolean>;
}

/**
 * Renames a file within its folder, so that it can be restored exactly, mode included. Its content is checked after the
 * rename, when no other program can find it: `CHANGED_ON_DISK` when it is not as expected.
 */
export async function setAside(
  place: FilePlace,
  expected: { readonly path: string; readonly hash: string },
): Promise<SetAside | SandboxFailure> {
  const roots = place.workspace.writeRoots;
  const rules = place.protection === undefined ? {} : { protection: place.protection };
  const aside = join(dirname(expected.path), `.haft-${randomBytes(8).toString('hex')}.tmp`);
  const moved = await renameConfined(roots, place.path, aside, {
    expectedPath: expected.path,
    createParents: false,
    ...rules,
  });
  if (!moved.ok) return moved;
  const putBack = async (): Promise<boolean> => (await renameConfined(roots, aside, moved.from, rules)).ok;
  const problem = moved.from === expected.path ? await findDifference(roots, aside, expected.hash) : refuseLink(place);
  if (problem !== undefined) {
    await putBack();
    return problem;
  }
  return { ok: true, putBack, drop: async () => (await removeConfined(roots, aside, rules)).ok };
}

/** The failure when the path is a link instead of a file. */
export function refuseLink({ path }: FilePlace): SandboxFailure {
  return {
    ok: false,
    code: 'SYMLINK_REFUSED',
    message: `${JSON.stringify(path)} is a symbolic link`,
    hint: 'The path is a symbolic link. Give the path of the file it points to.',
  };
}

async function findDifference(
  roots: FilePlace['workspace']['writeRoots'],
  path: string,
  hash: string,
): Promise<SandboxFailure | undefined> {
  const now = await readConfinedFile(roots, path);
  if (!now.ok) return now;
  if (hashContent(now.bytes) === hash) return undefined;
  return {
    ok: false,
    code: 'CHANGED_ON_DISK',
    message: `${JSON.stringify(path)} is not what was expected`,
    hint: 'The file changed since it was read. Read it again, then repeat the change.',
  };
}
