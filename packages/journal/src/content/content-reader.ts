import { hashContent, type DirectoryHandle, type DirectoryEntryStatus } from '@haft/sandbox';
import type { ContentStore } from './content-store.ts';
import type { FileState } from '../entry-state.ts';

const readAtOnce = 262_144;

/**
 * Reads a file of an open directory and stores its content. Files that are too large or unreadable get a `stamp`
 * instead of a hash. Returns undefined if the file no longer exists or is no longer a regular file.
 */
export async function readFileState(
  folder: DirectoryHandle,
  name: string,
  status: DirectoryEntryStatus,
  contents: ContentStore,
  maxFileBytes: number,
): Promise<FileState | undefined> {
  const { mode, size } = status;
  const unread: FileState = { kind: 'file', mode, size, stamp: stampOf(status) };
  if (size > maxFileBytes) return unread;
  const file = folder.open([name])[0]!;
  if (!file.ok) return file.code === 'NOT_FOUND' || file.code === 'NOT_REGULAR_FILE' ? undefined : unread;
  try {
    if (file.size > maxFileBytes) return { ...unread, mode: file.mode, size: file.size };
    const bytes = await readWhole(file);
    const hash = hashContent(bytes);
    contents.add(hash, bytes);
    return { kind: 'file', mode: file.mode, size: bytes.length, hash };
  } catch {
    return unread;
  } finally {
    file.close();
  }
}

async function readWhole(file: {
  readonly size: number;
  read(position: number, length: number): Promise<Uint8Array>;
  readInto(target: Uint8Array, position: number): number;
}): Promise<Uint8Array> {
  if (file.size > readAtOnce) return file.read(0, file.size);
  const bytes = new Uint8Array(file.size);
  return bytes.subarray(0, file.size === 0 ? 0 : file.readInto(bytes, 0));
}

/** Compares a file with its stamp, except the change time, which moving the file sets. */
export function hasSameStamp({ stamp }: FileState, status: DirectoryEntryStatus): boolean {
  return stamp !== undefined && stamp.startsWith(stampOf({ ...status, changedMs: 0 }).slice(0, -1));
}

function stampOf({ inode, size, modifiedMs, changedMs }: DirectoryEntryStatus): string {
  return [inode, size, modifiedMs, changedMs].join(':');
}
