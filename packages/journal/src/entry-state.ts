/** A regular file. */
export interface FileState {
  readonly kind: 'file';
  /** Permission bits, `0o000` to `0o777`. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the content; absent for a file that is too large or can't be read, whose `stamp` stands for it. */
  readonly hash?: string;
  /** What the system says of a file that has no `hash`. */
  readonly stamp?: string;
}

/** What stands at a path; `other` is a pipe, socket or device. */
export type EntryState =
  | { readonly kind: 'absent' }
  | FileState
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'other' };

/** How one path changed. */
export interface StateChange {
  /** Real absolute path. */
  readonly path: string;
  readonly before: EntryState;
  readonly after: EntryState;
}

export const absent: EntryState = Object.freeze({ kind: 'absent' });

/** Whether two states are the same, to the byte and the permission bit. */
export function isSameState(one: EntryState, other: EntryState): boolean {
  if (one.kind === 'file' && other.kind === 'file')
    return one.mode === other.mode && one.size === other.size && one.hash === other.hash && one.stamp === other.stamp;
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  if (one.kind === 'directory' && other.kind === 'directory') return one.mode === other.mode;
  return one.kind === other.kind;
}

/** Whether the content of two files is the same, whatever their permission bits. */
export function hasSameContent(one: EntryState, other: EntryState): boolean {
  return one.kind === 'file' && other.kind === 'file' && one.hash === other.hash && one.stamp === other.stamp;
}
