import { closeSync, constants, lstatSync, openSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { appendName } from '../../paths/append-path-name.ts';
import type { ConfinedDirectory, Walk } from './walk.ts';
import { makeDirectory } from './make-directory.ts';
import { isInside } from '../../paths/real-path.ts';
import { errnoOf, failureFromError } from '../../sandbox-failure.ts';

// O_PATH, which node:fs does not export. It suffices for traversing a directory without read permission.
const openPath = 0o10000000;
const walkFlags = openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens `names` one below the other without following links, each relative to the directory opened before. Node has no
 * openat, so `/proc/self/fd/N/name` replaces it. Renames and swaps cannot redirect the walk.
 */
export function walkByDescriptor(base: string, names: readonly string[], create: boolean): Walk {
  let walked = base;
  let descriptor = -1;
  const at = (name: string): string => `/proc/self/fd/${descriptor}/${name}`;
  try {
    descriptor = openSync(base, walkFlags);
    for (const name of names) {
      walked = appendName(walked, name);
      if (create) makeDirectory(at(name));
      const next = openSync(at(name), walkFlags);
      closeSync(descriptor);
      descriptor = next;
    }
  } catch (error) {
    const isSwapped = descriptor !== -1 && walked !== base && isBlockedByLink(error, at(basename(walked)));
    if (descriptor !== -1) closeSync(descriptor);
    return isSwapped ? 'swapped' : failureFromError(error, create ? 'WRITE_ERROR' : 'READ_ERROR', walked);
  }
  return createDescriptorDirectory(base, walked, descriptor);
}

/** Returns an open directory for a descriptor. */
export function createDescriptorDirectory(base: string, path: string, descriptor: number): ConfinedDirectory {
  const own = `/proc/self/fd/${descriptor}`;
  // The descriptor is closed when this directory and all that share it are.
  let holders = 0;
  const hold = (): (() => void) => {
    let isHeld = true;
    holders += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      holders -= 1;
      if (holders === 0) closeSync(descriptor);
    };
  };
  return {
    ok: true,
    path,
    descriptor,
    at: (name: string) => `${own}/${name}`,
    enter(name: string) {
      try {
        return createDescriptorDirectory(base, appendName(path, name), openSync(`${own}/${name}`, walkFlags));
      } catch (error) {
        if (isBlockedByLink(error, `${own}/${name}`)) return 'swapped';
        return failureFromError(error, 'READ_ERROR', appendName(path, name));
      }
    },
    isConfined() {
      const now = readlinkSync(own);
      return now === path || isInside(base, now);
    },
    isInPlace: () => readlinkSync(own) === path,
    share: () => ({ reference: { base, path, descriptor }, close: hold() }),
    close: hold(),
  };
}

function isBlockedByLink(error: unknown, path: string): boolean {
  const errno = errnoOf(error);
  if (errno !== 'ENOTDIR' && errno !== 'ELOOP') return false;
  // A missing entry also counts as swapped, because the walk has not opened the requested directory.
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.isSymbolicLink() || stats.isDirectory();
}
