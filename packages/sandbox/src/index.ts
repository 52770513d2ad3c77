export { isBinary } from './text/binary.ts';
export {
  createCleanEnvironment,
  type CleanEnvironmentOptions,
  type Environment,
} from './processes/clean-environment.ts';
export { confine, type ConfinedPath, type Confinement, type Roots } from './paths/confine.ts';
export {
  createConfinedDirectory,
  removeConfined,
  renameConfined,
  type ChangedEntry,
  type RenameConfinedOptions,
  type RenamedEntry,
} from './files/confined-change.ts';
export type { ExpectedPathOptions, ProtectionOptions, RootOptions } from './files/confined-directory.ts';
export { openConfinedDirectory, type DirectoryHandle, type DirectoryEntryStatus } from './files/directory-handle.ts';
export { createConfinedLink } from './files/confined-link.ts';
export {
  listConfinedDirectory,
  statConfined,
  type ConfinedListing,
  type ConfinedStatus,
  type DirectoryEntry,
  type ListConfinedOptions,
  type StatConfinedOptions,
} from './files/confined-stat.ts';
export {
  openConfined,
  readConfinedFile,
  type ConfinedContent,
  type ConfinedFile,
  type OpenConfinedOptions,
  type ReadConfinedOptions,
} from './files/confined-read.ts';
export { endOnExit } from './processes/tree/end-on-exit.ts';
export { endProcesses } from './processes/tree/end-processes.ts';
export type { EntryKind, EntryStatus, HardLinkPolicy } from './files/entry-status.ts';
export { writeConfinedFile, type WriteConfinedOptions, type WrittenFile } from './files/confined-write.ts';
export { hashContent } from './files/content-hash.ts';
export { computeFileDiff, type FileDiff, type FileDiffInput } from './diff/file-diff.ts';
export { findExecutable } from './processes/find-executable.ts';
export { compileGlob, compileWildcard, type Glob, type GlobOptions } from './globs/glob.ts';
export type { EgressOptions } from './network/egress-proxy.ts';
export { createJail, type JailOptions, type AllowedHosts } from './jail/create-jail.ts';
export type { Jail, JailCommand, JailDriver, JailLimits, JailPolicy, JailAccess } from './jail/contract/jail.ts';
export {
  detectEol,
  dominantEol,
  hasFinalNewline,
  normalizeEol,
  toLf,
  type Eol,
  type EolStyle,
} from './text/line-endings.ts';
export {
  loadIgnoreRules,
  noIgnoreRules,
  isIgnoreFile,
  type IgnoreRules,
  type ListedDirectory,
} from './ignore/ignore-rules.ts';
export { setConfinedMode } from './files/confined-mode.ts';
export type { LimitName, ProcessLimits } from './jail/limits/process-limits.ts';
export type { CapturedOutput } from './output/output-capture.ts';
export { measureImage, type ImageSize } from './text/image-size.ts';
export { detectMediaType, type DetectedMedia, type MediaKind } from './text/media-type.ts';
export { compileProtection, protectDefaultPaths, type PathProtection } from './protection/path-protection.ts';
export {
  secretPathGlobs,
  trustedPathGlobs,
  trustedPathGroups,
  type TrustedGroup,
} from './protection/protected-globs.ts';
export { lockTrustedPaths, type LockedPaths, type LockOptions } from './trusted/lock-trusted-paths.ts';
export {
  createNetworkGuard,
  type GuardedTarget,
  type NetworkGuard,
  type NetworkGuardOptions,
} from './network/network-guard.ts';
export {
  createProcessManager,
  type ManagedProcess,
  type ManagedProcessStatus,
  type OutputSlice,
  type ProcessManager,
} from './processes/manager/process-manager.ts';
export { type ProcessManagerOptions, type StartProcessOptions } from './processes/manager/process-manager-options.ts';
export {
  createProcessTree,
  lifelineDescriptor,
  markerVariable,
  type EndSignal,
  type ProcessTree,
  type ProcessTreeOptions,
} from './processes/tree/process-tree.ts';
export { guardedFetch, type FetchedResponse, type GuardedFetchOptions } from './network/guarded-fetch.ts';
export type { Dial } from './network/request-once.ts';
export { resolvePath, stripMentionPrefix, type PathToResolve } from './paths/resolve-path.ts';
export { runProcess } from './processes/run-process.ts';
export { type ProcessResult } from './processes/process-result.ts';
export { type OutputStream, type RunProcessOptions } from './processes/run-process-options.ts';
export { sandboxErrorCodes, type SandboxErrorCode, type SandboxFailure } from './sandbox-failure.ts';
export { openSpill, spillText, type Spill, type SpillOptions } from './output/spill.ts';
export {
  decodeText,
  detectEncoding,
  encodeText,
  type DecodedText,
  type EncodedText,
  type TextEncodingName,
  type TextFormat,
} from './text/text-encoding.ts';
export { createTimeoutSignal, type TimeoutSignal } from './timeout-signal.ts';
export { truncateOutput, type KeepMode, type TruncatedOutput, type TruncateOptions } from './output/truncate-output.ts';
export { cleanText } from './text/clean-text.ts';
export { replaceFenceTags } from './text/fence-tags.ts';
export { createFence, type Fence } from './text/fence.ts';
