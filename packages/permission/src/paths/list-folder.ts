import { readdir } from 'node:fs/promises';

/** How much of the disk one decision may look at. */
export interface ScanBudget {
  entries: number;
}

/** What is in a folder, as far as a search goes. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

// A folder costs as much as so many entries.
const folderCost = 10;

/**
 * Lists the entries of a folder, or an empty list for a missing one; undefined when the budget is used up. Links are
 * not followed.
 */
export async function listFolder(path: string, room: ScanBudget): Promise<readonly FolderEntry[] | undefined> {
  if (room.entries <= 0) return undefined;
  try {
    const entries = await readdir(path, { withFileTypes: true });
    room.entries -= entries.length + folderCost;
    return room.entries < 0
      ? undefined
      : entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory(), isLink: entry.isSymbolicLink() }));
  } catch {
    room.entries -= folderCost;
    return [];
  }
}
