import { fstatSync, statSync, statfsSync } from 'node:fs';

// ext2 to ext4, XFS, Btrfs and tmpfs: a directory of this size has at most a few thousand entries.
const fileSystemsWithEntrySizes: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
const maxSmallBytes = 65_536;
const devicesWithEntrySizes = new Map<number, boolean>();

/**
 * Returns true if a directory is small enough to be listed at once, judging by its size. Uses `descriptor`, if given,
 * because that needs no path resolution.
 */
export function isSmallDirectory(path: string, descriptor: number | undefined): boolean {
  const { dev, size } = descriptor === undefined ? statSync(path) : fstatSync(descriptor);
  return size <= maxSmallBytes && hasEntrySizes(dev, path);
}

function hasEntrySizes(device: number, path: string): boolean {
  let hasSizes = devicesWithEntrySizes.get(device);
  if (hasSizes === undefined) {
    hasSizes = process.platform === 'linux' && fileSystemsWithEntrySizes.has(statfsSync(path).type);
    devicesWithEntrySizes.set(device, hasSizes);
  }
  return hasSizes;
}
