import type { PermissionEngine } from '../permission/permission.ts';
import type { Logger } from './session.ts';

/** The absolute directories in which files may be read or written, or `unrestricted`. */
export type Roots = readonly string[] | 'unrestricted';

/** How commands are sandboxed. */
export interface WorkspaceJail {
  /**
   * If the operating system has no jail, `required` refuses to run commands and `preferred` warns and runs them without
   * a jail. `off` never uses a jail.
   */
  readonly policy: 'required' | 'preferred' | 'off';
  /**
   * Network access of commands. `true` allows the network, including local ports. Alternatively, an object lists the
   * allowed hosts: `example.com` (ports 80 and 443), `example.com:8080` or `*.example.com`. Default: false. With hosts,
   * `loopback` is either `shared` (the default), so that all commands share one loopback interface, or `own`, so
   * that each command has its own, which adds a tenth of a second per command.
   */
  readonly network?: boolean | { readonly hosts: readonly string[]; readonly loopback?: 'shared' | 'own' };
  /**
   * Absolute paths that commands may read in addition to the roots, such as the directories of a language's toolchain.
   */
  readonly read?: readonly string[];
  /**
   * Resource limits of one command, including its child processes. `Infinity` means no limit. Defaults: half of the
   * machine's memory, 1,024 processes and threads, 4 GiB per file, 256 MiB of temporary files.
   */
  readonly limits?: {
    readonly memoryBytes?: number;
    readonly processes?: number;
    readonly fileBytes?: number;
    readonly temporaryBytes?: number;
  };
}

/** The environment that tools, permission checks and commands share. */
export interface Workspace {
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** If empty, no files may be read. */
  readonly readRoots: Roots;
  /** If empty, no files may be written. */
  readonly writeRoots: Roots;
  /**
   * Absolute directory for output that is too long to show. It is one of the read roots. Without it, the omitted output
   * is lost.
   */
  readonly spillDirectory?: string;
  /** If absent, commands are not sandboxed. */
  readonly jail?: WorkspaceJail;
  readonly permission: PermissionEngine;
  readonly logger: Logger;
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
}

/** Options of {@link createWorkspace}. All options except the directory have safe defaults. */
export interface WorkspaceOptions {
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** Default: only the working directory. */
  readonly readRoots?: Roots;
  /** Default: only the working directory. */
  readonly writeRoots?: Roots;
  /**
   * Absolute directory for output that is too long to show. It becomes a read root so that tools can read the rest. Do
   * not share it with users whose output must stay private. Default: none, and the omitted output is lost.
   */
  readonly spillDirectory?: string;
  /** Default: commands are not sandboxed and have the rights of this process. */
  readonly jail?: WorkspaceJail;
  /** Default: allows read-only tools and denies all others, because no user can be asked. */
  readonly permission?: PermissionEngine;
  readonly logger?: Logger;
  readonly now?: () => number;
}
