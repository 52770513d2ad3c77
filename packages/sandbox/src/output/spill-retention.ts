import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A spill file of this process. */
export interface SpilledFile {
  readonly path: string;
  bytes: number;
}

const maxFiles = 64;
const maxBytesPerDirectory = 268_435_456;
const staleMs = 86_400_000;
const ownName = /^spill-[\da-f]{24}\.txt$/;

const spilled = new Map<string, SpilledFile[]>();

/** Records a new file, which is removed at the latest when this process exits. */
export function recordSpill(directory: string, path: string): SpilledFile {
  if (spilled.size === 0) process.once('exit', removeAll);
  const file = { path, bytes: 0 };
  const files = spilled.get(directory);
  if (files) files.push(file);
  else spilled.set(directory, [file]);
  return file;
}

/** Removes the oldest files if there are too many, and on first use those left by killed processes. */
export function makeRoomForSpill(directory: string): void {
  const files = spilled.get(directory);
  if (files === undefined) {
    removeStale(directory);
    return;
  }
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  while (files.length >= maxFiles || bytes > maxBytesPerDirectory) {
    const oldest = files.shift();
    if (!oldest) return;
    bytes -= oldest.bytes;
    tryRemove(oldest.path);
  }
}

/** Removes a file early. */
export function removeSpilled(directory: string, path: string): void {
  const files = spilled.get(directory) ?? [];
  const index = files.findIndex((file) => file.path === path);
  if (index !== -1) files.splice(index, 1);
  tryRemove(path);
}

function removeAll(): void {
  for (const files of spilled.values()) for (const { path } of files) tryRemove(path);
  spilled.clear();
}

function removeStale(directory: string): void {
  const before = Date.now() - staleMs;
  for (const name of readdirSync(directory)) {
    if (!ownName.test(name)) continue;
    const path = join(directory, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === true && stats.mtimeMs < before) tryRemove(path);
  }
}

function tryRemove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process removed it first.
  }
}
