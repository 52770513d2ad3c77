import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { hashContent, readConfinedFile, removeConfined, renameConfined, type SandboxFailure } from '@haft/sandbox';
import type { FilePlace } from '../file-errors.ts';

/** A file that was moved to a temporary name. */
export interface SetAside {
  readonly ok: true;
  /** Restores the name. Returns false if another file has taken it. */
  readonly putBack: () => Promise<boolean>;
  /** Deletes the file. */
  readonly drop: () => Promise<boolean>;
}

/**
 * Renames a file within its folder, so that it can be restored exactly, including its mode. Checks the content after
 * the rename, when other programs no longer find the file. Returns `CHANGED_ON_DISK` if the content is not the expected
 * one.
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

/** Creates the failure for a path that is a link. */
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
    message: `${JSON.stringify(path)} does not have the expected content`,
    hint: 'The file changed since it was read. Read it again, then repeat the change.',
  };
}
