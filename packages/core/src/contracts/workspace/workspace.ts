import type { PermissionEngine } from '../permission/permission.ts';
import type { Logger } from './session.ts';

/** Where files may be read or written: a list of absolute folders, or no limit at all. */
export type Roots = readonly string[] | 'unrestricted';

/** How commands are kept in. */
export interface WorkspaceJail {
  /**
   * `required` runs no command where no jail of the operating system can be had, `preferred` warns and does without, `off`
   * does without.
   */
  readonly policy: 'required' | 'preferred' | 'off';
  /**
   * Whether commands reach the network, with this machine's own ports; or which hosts alone, as `example.com` (ports 80 and 443),
   * `example.com:8080`, `*.example.com`. Default false. With hosts, `loopback` says whether commands have one loopback together
   * (`shared`, the default), or each one of its own, which takes a tenth of a second more for each.
   */
  readonly network?: boolean | { readonly hosts: readonly string[]; readonly loopback?: 'shared' | 'own' };
  /** Absolute paths that commands may read besides the roots, such as the folders of a language's tools. */
  readonly read?: readonly string[];
  /**
   * How much one command and all it starts may take; `Infinity` for no limit. Default: half of the machine's memory, 1,024 processes
   * and threads, files of 4 GiB, 256 MiB of temporary files.
   */
  readonly limits?: {
    readonly memoryBytes?: number;
    readonly processes?: number;
    readonly fileBytes?: number;
    readonly temporaryBytes?: number;
  };
}

/** The one object given to everything that touches the world. */
export interface Workspace {
  /** Absolute working directory. */
  readonly cwd: string;
  /** An empty list means nothing may be read. */
  readonly readRoots: Roots;
  /** An empty list means nothing may be written. */
  readonly writeRoots: Roots;
  /** Absolute folder for output too long to show, one of the read roots; without one, what is cut is gone. */
  readonly spillDirectory?: string;
  /** Absent: commands are not kept in. */
  readonly jail?: WorkspaceJail;
  readonly permission: PermissionEngine;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** What {@link createWorkspace} takes; everything but the folder has a safe default. */
export interface WorkspaceOptions {
  /** Absolute working directory. */
  readonly cwd: string;
  /** Default: the working directory alone. */
  readonly readRoots?: Roots;
  /** Default: the working directory alone. */
  readonly writeRoots?: Roots;
  /**
   * Absolute folder for output too long to show; it becomes a read root, so that a tool can read on. Share it with nobody
   * whose output is not to be read. Default: none, and what is cut is gone.
   */
  readonly spillDirectory?: string;
  /** Default: commands are not kept in, and have the rights of this process. */
  readonly jail?: WorkspaceJail;
  /** Default: read-only tools are allowed, everything else is denied, since nobody can be asked. */
  readonly permission?: PermissionEngine;
  readonly logger?: Logger;
  readonly now?: () => number;
}
