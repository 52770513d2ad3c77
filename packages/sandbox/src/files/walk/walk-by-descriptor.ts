import { closeSync, constants, lstatSync, openSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { appendName } from '../../paths/append-name.ts';
import type { ConfinedDirectory, Walk } from './walk.ts';
import { makeDirectory } from './make-directory.ts';
import { isInside } from '../../paths/real-path.ts';
import { errnoOf, failureFromError } from '../../sandbox-failure.ts';

// O_PATH, which node:fs does not name: enough to walk through a directory that may be entered but not listed.
const openPath = 0o10000000;
const walkFlags = openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens `names` one below the other, each inside the one opened before (`/proc/self/fd/N/name` is what Node has of openat)
 * and none through a link. Nothing that is renamed or swapped meanwhile leads elsewhere.
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
    const isSwapped = descriptor !== -1 && walked !== base && isLinkInTheWay(error, at(basename(walked)));
    if (descriptor !== -1) closeSync(descriptor);
    return isSwapped ? 'swapped' : failureFromError(error, create ? 'WRITE_ERROR' : 'READ_ERROR', walked);
  }
  return holdDescriptor(base, walked, descriptor);
}

/** A directory that is open already, by its descriptor. */
export function holdDescriptor(base: string, path: string, descriptor: number): ConfinedDirectory {
  const own = `/proc/self/fd/${descriptor}`;
  return {
    ok: true,
    path,
    descriptor,
    at: (name: string) => `${own}/${name}`,
    enter(name: string) {
      try {
        return holdDescriptor(base, appendName(path, name), openSync(`${own}/${name}`, walkFlags));
      } catch (error) {
        if (isLinkInTheWay(error, `${own}/${name}`)) return 'swapped';
        return failureFromError(error, 'READ_ERROR', appendName(path, name));
      }
    },
    isConfined() {
      const now = readlinkSync(own);
      return now === path || isInside(base, now);
    },
    isInPlace: () => readlinkSync(own) === path,
    share() {
      const shared = openSync(`${own}/.`, walkFlags);
      return { reference: { base, path, descriptor: shared }, close: () => closeSync(shared) };
    },
    close: () => closeSync(descriptor),
  };
}

function isLinkInTheWay(error: unknown, path: string): boolean {
  const errno = errnoOf(error);
  if (errno !== 'ENOTDIR' && errno !== 'ELOOP') return false;
  // Gone again counts too: what was there when it was opened was no directory, and is not what was asked for.
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.isSymbolicLink() || stats.isDirectory();
}
