import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashContent, readConfinedFile } from '@haft/sandbox';
import type { ToolFiles } from '../../catalog/tool-draft.ts';

const maxFileBytes = 1_000_000;
const maxFiles = 50;
/** Milliseconds after which a temporary folder left by another program is deleted. */
const abandonedMs = 3_600_000;
const temporaryPrefix = '.new-';

/** Returns a hash of file contents: equal files have equal hashes. */
export function hashFiles(files: ToolFiles): string {
  return hashContent(JSON.stringify(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** Returns the folder of one version of a tool. Every version has its own folder. */
export function folderOf(directory: string, name: string, version: number, hash: string): string {
  return join(directory, `${name}-${version}-${hash.slice(0, 12)}`);
}

/** Reads a tool's folder. Returns `undefined` if it is missing; a file that is not readable text counts as empty. */
export async function readToolFolder(folder: string): Promise<ToolFiles | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return undefined;
  const read = names.slice(0, maxFiles).map(async (name) => {
    const file = await readConfinedFile([folder], join(folder, name), { maxBytes: maxFileBytes });
    return [name, file.ok ? Buffer.from(file.bytes).toString('utf8') : ''] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/**
 * Creates a folder of files under a temporary name, then renames it, so that readers never see an incomplete folder.
 */
export async function createToolFolder(directory: string, folder: string, files: ToolFiles): Promise<void> {
  const half = join(directory, `${temporaryPrefix}${randomBytes(6).toString('hex')}`);
  await mkdir(half, { recursive: true });
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(half, name), text, { flag: 'wx' });
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // Another program created the folder first; its content is verified before use.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

/** Creates a folder for a trial, and deletes it afterwards. */
export async function withTrialFolder<Value>(
  directory: string,
  files: ToolFiles,
  use: (folder: string) => Promise<Value>,
): Promise<Value> {
  const place = join(directory, `${temporaryPrefix}${randomBytes(6).toString('hex')}`);
  const folder = join(place, 'tool');
  await mkdir(place, { recursive: true });
  try {
    await createToolFolder(place, folder, files);
    return await use(folder);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Removes a tool's folder atomically for other readers. Never rejects: remaining files are deleted later. */
export async function removeToolFolder(directory: string, folder: string): Promise<void> {
  const half = join(directory, `${temporaryPrefix}${randomBytes(6).toString('hex')}`);
  try {
    await rename(folder, half);
    await rm(half, { recursive: true, force: true });
  } catch {
    // The folder is gone, or will be deleted later.
  }
}

/** Deletes incomplete folders of killed programs. */
export async function sweepToolFolders(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [] as string[])) {
    if (!name.startsWith(temporaryPrefix)) continue;
    const place = join(directory, name);
    const stats = await stat(place).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > abandonedMs) await rm(place, { recursive: true, force: true });
  }
}
