/** A regular file. */
export interface FileState {
  readonly kind: 'file';
  /** Permission bits, `0o000` to `0o777`. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the content. Missing if the file is too large or unreadable; then `stamp` identifies the version. */
  readonly hash?: string;
  /** Inode, size and times of a file that has no `hash`. */
  readonly stamp?: string;
}

/** State of a path. `other` is a pipe, socket or device. */
export type EntryState =
  | { readonly kind: 'absent' }
  | FileState
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'other' };

/** Change of one path. */
export interface StateChange {
  /** Real absolute path. */
  readonly path: string;
  readonly before: EntryState;
  readonly after: EntryState;
}

export const absent: EntryState = Object.freeze({ kind: 'absent' });

/** Compares two states, including permission bits. */
export function isSameState(one: EntryState, other: EntryState): boolean {
  if (one.kind === 'file' && other.kind === 'file')
    return one.mode === other.mode && one.size === other.size && one.hash === other.hash && one.stamp === other.stamp;
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  if (one.kind === 'directory' && other.kind === 'directory') return one.mode === other.mode;
  return one.kind === other.kind;
}

/** Compares the contents of two files and ignores permission bits. */
export function hasSameContent(one: EntryState, other: EntryState): boolean {
  return one.kind === 'file' && other.kind === 'file' && one.hash === other.hash && one.stamp === other.stamp;
}
