import type { RestoreReport, ToolProvider } from '@haft/core';
import type { ToolChange } from '../client/contract/tool-change.ts';
import type { ManagedServer } from './managed-server.ts';
import type { ManagedConnection } from './manager-options.ts';
import type { ServerEntry } from './server-entry.ts';
import type { ServerSource } from './server-source.ts';

/** The connections of a program: those of its configuration, and those that are made while it runs. */
export interface ConnectionManager extends ToolProvider {
  /** Connects everything, at the same time; one that can't be connected hinders no other, and is not thrown. */
  restore(): Promise<RestoreReport>;
  /** Every connection, ready or not, by name. */
  connections(): readonly ManagedConnection[];
  /** The servers themselves, in the order in which they came. */
  servers(): readonly ManagedServer[];
  /**
   * Connects a server of the program, which is not kept: at the next start the program adds it again. Without a name it has
   * the one that it calls itself when it is met first, from then on. Resolves to the server, connected or not; one that is not
   * there yet is tried again in the background.
   *
   * @throws McpError `INVALID_OPTION` for a source that can't be used; `NAME_TAKEN`.
   */
  add(source: ServerSource, options?: AddServerOptions): Promise<ManagedServer>;
  /** Ends a server and forgets it, also one that has no name yet; false when it is not there. */
  remove(server: ManagedServer): Promise<boolean>;
  /**
   * Connects a server and keeps it for the next start; one of the same name is ended first. Resolves to how it is then.
   *
   * @throws McpError `INVALID_OPTION` for an entry that can't be used, or holds what may not be kept; `NAME_TAKEN` for the
   * name of a server of the configuration.
   */
  connect(name: string, entry: ServerEntry, signal?: AbortSignal): Promise<ManagedConnection>;
  /** Connects one that is known but not ready once more; `undefined` when there is none of this name. */
  reconnect(name: string, signal?: AbortSignal): Promise<ManagedConnection | undefined>;
  /** Ends a connection and forgets it; one of the configuration is back at the next start. False when there is none. */
  disconnect(name: string): Promise<boolean>;
  /**
   * Approves of the command of a connection, for good, and connects it; one that has no name yet is given itself. For persons and
   * programs: no tool does it.
   */
  approveCommand(connection: string | ManagedServer): Promise<ManagedConnection | undefined>;
  /** Approves of what a server has changed of a tool, for good; false when that is not what it says any more. */
  approve(name: string, change: ToolChange): boolean;
}

/** What {@link ConnectionManager.add} takes besides the server. */
export interface AddServerOptions {
  readonly name?: string;
  /** Is given the server before it is connected. */
  readonly onAdded?: (server: ManagedServer) => void;
}
