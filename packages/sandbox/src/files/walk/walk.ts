import { type SandboxFailure } from '../../sandbox-failure.ts';

/** An open directory as plain data, so that other threads of this process can open it. */
export type DirectoryReference =
  | { readonly base: string; readonly path: string; readonly descriptor: number }
  | { readonly path: string; readonly device: bigint; readonly inode: bigint };

/** A reference that stays valid until it is closed, even after the original directory is closed. */
export interface SharedDirectory {
  readonly reference: DirectoryReference;
  close(): void;
}

/** An open directory inside the roots. Access through `at` uses this directory even if it is moved. */
export interface ConfinedDirectory {
  readonly ok: true;
  /** The real path by which it was opened. */
  readonly path: string;
  /** Returns a path to an entry, for immediate use in a system call that does not follow links. */
  at(name: string): string;
  /** The descriptor of the open directory, if there is one. */
  readonly descriptor?: number;
  /** Opens a subdirectory without following links. */
  enter(name: string): Walk;
  /** Returns true if the directory is still below the start of the walk, and false once it was moved or swapped. */
  isConfined(): boolean;
  /** Returns true if its path still leads to it. */
  isInPlace(): boolean;
  /** Creates a reference for another thread. */
  share(): SharedDirectory;
  close(): void;
}

/** The result of a walk; `swapped` if a component has become a link since it was located. */
export type Walk = ConfinedDirectory | SandboxFailure | 'swapped';
