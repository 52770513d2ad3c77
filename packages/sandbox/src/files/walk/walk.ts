import { type SandboxFailure } from '../../sandbox-failure.ts';

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
  close(): void;
}

/** What a walk to a directory comes to; `swapped` when a component has become a link since it was located. */
export type Walk = ConfinedDirectory | SandboxFailure | 'swapped';
