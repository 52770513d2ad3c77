export { isBinary } from './binary.ts';
export { createCleanEnvironment, type CleanEnvironmentOptions, type Environment } from './clean-environment.ts';
export { confine, type ConfinedPath, type Confinement, type Roots } from './confine.ts';
export {
  createConfinedDirectory,
  removeConfined,
  renameConfined,
  type ChangedEntry,
  type RenameConfinedOptions,
  type RenamedEntry,
} from './confined-change.ts';
export type { ExpectedPlace, ProtectedPlace, RootReach } from './confined-directory.ts';
export { holdConfinedDirectory, type HeldDirectory, type DirectoryEntryLook } from './held-directory.ts';
export { createConfinedLink } from './confined-link.ts';
export {
  listConfinedDirectory,
  statConfined,
  type ConfinedListing,
  type ConfinedStatus,
  type DirectoryEntry,
  type ListConfinedOptions,
  type StatConfinedOptions,
} from './confined-look.ts';
export {
  openConfined,
  readConfinedFile,
  type ConfinedContent,
  type ConfinedFile,
  type OpenConfinedOptions,
  type ReadConfinedOptions,
} from './confined-read.ts';
export { endOnExit } from './end-on-exit.ts';
export { endProcesses } from './end-processes.ts';
export type { EntryKind, EntryStatus, HardLinkPolicy } from './entry-status.ts';
export { writeConfinedFile, type WriteConfinedOptions, type WrittenFile } from './confined-write.ts';
export { hashContent } from './content-hash.ts';
export { computeFileDiff, type FileDiff, type FileDiffInput } from './file-diff.ts';
export { findExecutable } from './find-executable.ts';
export { compileGlob, compileWildcard, type Glob, type GlobOptions } from './glob.ts';
export type { EgressOptions } from './network/egress-proxy.ts';
export { createJail, type JailOptions, type ListedHosts } from './jail/create-jail.ts';
export type { Jail, JailCommand, JailDriver, JailLimits, JailPolicy, JailView } from './jail/jail.ts';
export {
  detectEol,
  dominantEol,
  hasFinalNewline,
  normalizeEol,
  toLf,
  type Eol,
  type EolStyle,
} from './line-endings.ts';
export {
  loadIgnoreRules,
  noIgnoreRules,
  saysWhatIsIgnored,
  type IgnoreRules,
  type ListedDirectory,
} from './ignore/ignore-rules.ts';
export { setConfinedMode } from './confined-mode.ts';
export type { LimitName, ProcessLimits } from './limits/process-limits.ts';
export type { CapturedOutput } from './output-capture.ts';
export { measureImage, type ImageSize } from './image-size.ts';
export { detectMediaType, type DetectedMedia, type MediaKind } from './media-type.ts';
export { compileProtection, protectUsualPaths, type PathProtection } from './path-protection.ts';
export { secretPathGlobs, trustedPathGlobs, trustedPathGroups, type TrustedGroup } from './protected-globs.ts';
export { lockTrustedPaths, type LockedPaths, type LockOptions } from './trusted/lock-trusted-paths.ts';
export {
  createNetworkGuard,
  type GuardedTarget,
  type NetworkGuard,
  type NetworkGuardOptions,
} from './network/network-guard.ts';
export {
  createProcessBoard,
  type BoardProcess,
  type BoardProcessStatus,
  type OutputSlice,
  type ProcessBoard,
} from './process-board.ts';
export { type ProcessBoardOptions, type StartOnBoardOptions } from './process-board-options.ts';
export {
  createProcessTree,
  markerVariable,
  type EndSignal,
  type ProcessTree,
  type ProcessTreeOptions,
} from './process-tree.ts';
export { guardedFetch, type FetchedResponse, type GuardedFetchOptions } from './network/guarded-fetch.ts';
export type { Dial } from './network/request-once.ts';
export { resolvePath, stripMentionPrefix } from './resolve-path.ts';
export { canRunOverFiles, runOverFiles, type FilesRun, type RunOverFilesOptions } from './run-over-files.ts';
export { runProcess } from './run-process.ts';
export { type ProcessResult } from './process-result.ts';
export { type OutputStream, type RunProcessOptions } from './run-process-options.ts';
export { sandboxErrorCodes, type SandboxErrorCode, type SandboxFailure } from './sandbox-failure.ts';
export { openSpill, spillText, type Spill, type SpillOptions } from './spill.ts';
export {
  decodeText,
  detectEncoding,
  encodeText,
  type DecodedText,
  type EncodedText,
  type TextEncodingName,
  type TextFormat,
} from './text-encoding.ts';
export { createTimeoutSignal, type TimeoutSignal } from './timeout-signal.ts';
export { truncateOutput, type KeptPart, type TruncatedOutput, type TruncateOptions } from './truncate-output.ts';
export { cleanText } from './clean-text.ts';
export { replaceMarks } from './imitated-marks.ts';
export { createFence, type Fence } from './untrusted-text.ts';
