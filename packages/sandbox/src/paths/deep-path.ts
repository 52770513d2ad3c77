import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';

/** Gives system calls a short path to an entry that lies deep, so that each costs the same however deep it lies. */
export interface DeepPath {
  /** A path to `path` for immediate use. Directories between the last call's path and this one must not be links. */
  shorten(path: string): string;
  close(): void;
}

/** Components that the system may walk anew for each call: fewer cost less than to hold a directory open. */
const maxWalked = 64;
// O_PATH, which node:fs does not name.
const directoryFlags = 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** For walking down a path one component after the other. Where directories can't be named by descriptor, paths stay as they are. */
export function createDeepPath(): DeepPath {
  let held = { path: '', descriptor: -1 };
  let components = 0;
  let isUsable = process.platform === 'linux';
  const close = (): void => {
    if (held.descriptor !== -1) closeSync(held.descriptor);
    held = { path: '', descriptor: -1 };
    components = 0;
  };
  const byHeld = (path: string): string =>
    held.descriptor === -1 ? path : `/proc/self/fd/${held.descriptor}${path.slice(held.path.length)}`;
  const hold = (path: string): void => {
    const descriptor = openQuietly(byHeld(path));
    isUsable = descriptor !== undefined;
    if (descriptor === undefined) return;
    close();
    held = { path, descriptor };
  };
  return {
    shorten(path) {
      if (held.descriptor !== -1 && !path.startsWith(`${held.path}/`)) close();
      components += 1;
      if (isUsable && components > maxWalked) hold(path.slice(0, path.lastIndexOf('/')));
      return byHeld(path);
    },
    close,
  };
}

/** Undefined for what can't be opened, and where `/proc` does not lead back to it. */
function openQuietly(path: string): number | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, directoryFlags);
    const opened = fstatSync(descriptor);
    const found = lstatSync(`/proc/self/fd/${descriptor}/.`);
    if (found.ino === opened.ino && found.dev === opened.dev) return descriptor;
  } catch {
    // Then every call walks the whole path.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return undefined;
}
