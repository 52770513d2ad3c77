import { type SandboxFailure } from '../../sandbox-failure.ts';

/** An open directory as plain data, by which other threads of this process open it too. */
export type DirectoryReference =
  | { readonly base: string; readonly path: string; readonly descriptor: number }
  | { readonly path: string; readonly device: bigint; readonly inode: bigint };

/** A reference that stays valid until it is closed, also when the directory it was made from is closed before. */
export interface SharedDirectory {
  readonly reference: DirectoryReference;
  close(): void;
}

/** An open directory inside the roots. What is done through `at` happens in this directory, whatever moves meanwhile. */
export interface ConfinedDirectory {
  readonly ok: true;
  /** The real path it was opened by. */
  readonly path: string;
  /** A path for one entry of it, for immediate use in a system call that does not follow links. */
  at(name: string): string;
  /** What it is held open by, where it is. */
  readonly descriptor?: number;
  /** Opens a directory in this one, through no link. */
  enter(name: string): Walk;
  /** Says whether the directory still lies below where the walk began; false once somebody moved or swapped it. */
  isConfined(): boolean;
  /** Says whether the path it was opened by leads to it still. */
  isInPlace(): boolean;
  /** Makes a reference for another thread. Throws when the directory can't be opened once more. */
  share(): SharedDirectory;
  close(): void;
}

/** What a walk to a directory comes to; `swapped` when a component has become a link since it was located. */
export type Walk = ConfinedDirectory | SandboxFailure | 'swapped';
