import { fstatSync, statSync, statfsSync } from 'node:fs';

// ext2 to ext4, XFS, Btrfs, tmpfs: there, a directory of this size has a few thousand entries at most.
const sizedFileSystems: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
const smallBytes = 65_536;
const sizedDevices = new Map<number, boolean>();

/**
 * Whether a directory can be listed at a stroke: it has few entries, as far as its file system tells. `descriptor` is it, where it is held
 * open: to ask that takes no way through the file system.
 */
export function isSmallDirectory(path: string, descriptor: number | undefined): boolean {
  const { dev, size } = descriptor === undefined ? statSync(path) : fstatSync(descriptor);
  return size <= smallBytes && isSized(dev, path);
}

function isSized(device: number, path: string): boolean {
  let isKnown = sizedDevices.get(device);
  if (isKnown === undefined) {
    isKnown = process.platform === 'linux' && sizedFileSystems.has(statfsSync(path).type);
    sizedDevices.set(device, isKnown);
  }
  return isKnown;
}
