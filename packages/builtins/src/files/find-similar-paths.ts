import { basename, dirname, join } from 'node:path';
import { findNearestNames, type ToolError, type Workspace } from '@haft/core';
import { listConfinedDirectory } from '@haft/sandbox';
import { hasBrokenName, hintForBrokenName } from './broken-file-name.ts';
import { showPath } from '../show-path.ts';

const maxFolders = 300;
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Finds existing paths that the model may have meant: similar names in the same folder, and the same name elsewhere in
 * the workspace. Searches at most a few hundred folders.
 */
export async function findSimilarPaths(workspace: Workspace, path: string): Promise<readonly string[]> {
  const wanted = basename(path);
  const near = await listConfinedDirectory(workspace.readRoots, dirname(path), { maxEntries: 2_000 });
  const siblings = near.ok
    ? findNearestNames(
        wanted,
        near.entries.map((entry) => entry.name),
      ).map((name) => join(dirname(path), name))
    : [];
  const elsewhere = siblings.length < 3 ? await findByName(workspace, wanted) : [];
  return [...new Set([...siblings, ...elsewhere].map((found) => showPath(workspace.cwd, found)))].slice(0, 3);
}

/** Adds similar paths to a `NOT_FOUND` error. */
export async function suggestPaths(error: ToolError, workspace: Workspace, path: string): Promise<ToolError> {
  if (error.code !== 'NOT_FOUND') return error;
  const similar = await findSimilarPaths(workspace, path);
  const hint = hintFor(path, similar);
  return { ...error, ...(hint === undefined ? {} : { hint }), details: { ...error.details, similar } };
}

function hintFor(path: string, similar: readonly string[]): string | undefined {
  const broken = [path, ...similar].find(hasBrokenName);
  if (broken !== undefined) return hintForBrokenName(broken);
  return similar.length === 0 ? undefined : `Did you mean ${similar.join(' or ')}?`;
}

async function findByName(workspace: Workspace, wanted: string): Promise<readonly string[]> {
  const lowered = wanted.toLowerCase();
  const pending = [workspace.cwd];
  const found: string[] = [];
  for (let visited = 0; visited < maxFolders && pending.length > 0 && found.length < 3; visited += 1) {
    const folder = pending.shift()!;
    const listing = await listConfinedDirectory(workspace.readRoots, folder, { maxEntries: 2_000 });
    if (!listing.ok) continue;
    for (const { name, kind } of listing.entries) {
      if (kind === 'directory' && !skipped.has(name)) pending.push(join(folder, name));
      if (kind === 'file' && name.toLowerCase() === lowered) found.push(join(folder, name));
    }
  }
  return found;
}
