import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';

/** Provides short paths to deeply nested entries, so that system calls cost the same at any depth. */
export interface DeepPath {
  /**
   * Returns a path to `path` for immediate use. The directories between the previous call's path and this one must not
   * be links.
   */
  shorten(path: string): string;
  close(): void;
}

/**
 * Number of components that the system may resolve per call. Below it, resolving costs less than holding a directory
 * open.
 */
const maxComponents = 64;
// O_PATH, which node:fs does not export.
const directoryFlags = 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Creates a helper for walking down a path component by component. Returns paths unchanged where directories cannot be
 * accessed by descriptor.
 */
export function createDeepPath(): DeepPath {
  let held = { path: '', descriptor: -1 };
  let components = 0;
  let isUsable = process.platform === 'linux';
  const close = (): void => {
    if (held.descriptor !== -1) closeSync(held.descriptor);
    held = { path: '', descriptor: -1 };
    components = 0;
  };
  const shortenWithHeld = (path: string): string =>
    held.descriptor === -1 ? path : `/proc/self/fd/${held.descriptor}${path.slice(held.path.length)}`;
  const hold = (path: string): void => {
    const descriptor = tryOpen(shortenWithHeld(path));
    isUsable = descriptor !== undefined;
    if (descriptor === undefined) return;
    close();
    held = { path, descriptor };
  };
  return {
    shorten(path) {
      if (held.descriptor !== -1 && !path.startsWith(`${held.path}/`)) close();
      components += 1;
      if (isUsable && components > maxComponents) hold(path.slice(0, path.lastIndexOf('/')));
      return shortenWithHeld(path);
    },
    close,
  };
}

/** Returns undefined if the directory cannot be opened or `/proc` does not lead back to it. */
function tryOpen(path: string): number | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, directoryFlags);
    const opened = fstatSync(descriptor);
    const found = lstatSync(`/proc/self/fd/${descriptor}/.`);
    if (found.ino === opened.ino && found.dev === opened.dev) return descriptor;
  } catch {
    // Without a descriptor, every call resolves the whole path.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return undefined;
}
