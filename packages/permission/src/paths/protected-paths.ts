import { compileProtection, secretPathGlobs, trustedPathGlobs, type PathProtection } from '@haft/sandbox';
import { PermissionError } from '../permission-error.ts';

/** Files that hold secrets: `secretPathGlobs` of `@haft/sandbox`, and the system's disks and memory. */
export const defaultProtectedGlobs: readonly string[] = [
  ...secretPathGlobs,
  '**/*keychain*',
  '/etc/{shadow,gshadow,sudoers,shadow-,gshadow-}',
  '/etc/sudoers.d/**',
  '/proc/*/{environ,mem}',
  '/proc/*/task/*/{environ,mem}',
  '/proc/*/{root,cwd}/**',
  '/dev/{mem,kmem,port,kmsg}',
  '/dev/{sd?*,hd?*,vd?*,xvd?*,nvme*,mmcblk*,dm-*,md[0-9]*,loop[0-9]*,nbd*,zram*,ram[0-9]*,sr[0-9]*,disk[0-9]*,rdisk[0-9]*}',
  '/dev/{disk,mapper,block,md}/**',
];

/**
 * Paths that are run or trusted later, so writing them is refused: `trustedPathGlobs` of `@haft/sandbox` and the
 * system's own folders.
 */
export const defaultWriteProtectedGlobs: readonly string[] = [
  ...trustedPathGlobs,
  '/etc/**',
  '/{bin,sbin,boot,lib,lib64,sys,proc,dev}/**',
  '/usr/{bin,sbin,lib,lib64}/**',
];

/** Returns the pattern that protects a path, if any. */
export type ProtectedPaths = PathProtection;

/**
 * Compiles globs over absolute paths, with `~/` for the home directory.
 *
 * @throws PermissionError `INVALID_OPTION` for an invalid glob; `option` names the option in the message.
 */
export function compileProtectedPaths(option: string, globs: readonly string[]): ProtectedPaths {
  try {
    return compileProtection(globs);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new PermissionError('INVALID_OPTION', `createPermissionEngine: ${option}: ${reason}`, { cause });
  }
}
