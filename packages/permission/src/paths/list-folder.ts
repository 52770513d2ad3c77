import { readdir } from 'node:fs/promises';

/** The number of disk entries that one decision may still scan. */
export interface ScanBudget {
  entries: number;
}

/** An entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

// Cost of opening a folder, in entries.
const folderCost = 10;

/**
 * Lists the entries of a folder, or an empty list for a missing folder. Returns undefined when the budget is used up.
 * Does not follow links.
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
