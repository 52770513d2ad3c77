/**
 * Reading shared directories: the part of the package that other processes and threads load.
 *
 * @packageDocumentation
 */
export { isBinary } from './text/binary.ts';
export { openSharedDirectory, type DirectoryEntryStatus, type DirectoryHandle } from './files/directory-handle.ts';
export type { DirectoryReference, SharedDirectory } from './files/walk/walk.ts';
export type { DirectoryEntry } from './files/confined-stat.ts';
export type { ConfinedFile } from './files/confined-read.ts';
export type { EntryKind, EntryStatus } from './files/entry-status.ts';
export type { SandboxFailure } from './sandbox-failure.ts';
export {
  decodeText,
  detectEncoding,
  type DecodedText,
  type TextEncodingName,
  type TextFormat,
} from './text/text-encoding.ts';
