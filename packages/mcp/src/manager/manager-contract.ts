import type { RestoreReport, ToolProvider } from '@haft/core';
import type { ToolChange } from '../client/contract/tool-change.ts';
import type { ManagedServer } from './managed-server.ts';
import type { ManagedConnection } from './manager-options.ts';
import type { ServerEntry } from './server-entry.ts';
import type { ServerSource } from './server-source.ts';

/** Manages the connections of a program: configured ones, and those added while it runs. */
export interface ConnectionManager extends ToolProvider {
  /** Connects all servers in parallel. Failures are in the report; none is thrown. */
  restore(): Promise<RestoreReport>;
  /** Returns all connections in any state, sorted by name. */
  connections(): readonly ManagedConnection[];
  /** Returns the servers in the order in which they were added. */
  servers(): readonly ManagedServer[];
  /**
   * Connects a server without saving it: at the next start, the program adds it again. Without a name, the server gets
   * the name that it reports on its first connection. Resolves when connected or failed; an unreachable server is
   * retried in the background.
   *
   * @throws McpError `INVALID_OPTION` for an invalid source; `NAME_TAKEN`.
   */
  add(source: ServerSource, options?: AddServerOptions): Promise<ManagedServer>;
  /** Closes and removes a server, named or not. Returns false if it is unknown. */
  remove(server: ManagedServer): Promise<boolean>;
  /**
   * Connects a server and saves it for the next start. An existing server of the same name is closed first. Resolves to
   * its state.
   *
   * @throws McpError `INVALID_OPTION` for an entry that is invalid or holds a likely secret; `NAME_TAKEN` for the name
   * of a configured server.
   */
  connect(name: string, entry: ServerEntry, signal?: AbortSignal): Promise<ManagedConnection>;
  /** Reconnects a known server that is not ready. Resolves to `undefined` if the name is unknown. */
  reconnect(name: string, signal?: AbortSignal): Promise<ManagedConnection | undefined>;
  /**
   * Closes a connection and deletes it from the store. A configured one returns at the next start. Resolves to false if
   * the name is unknown.
   */
  disconnect(name: string): Promise<boolean>;
  /**
   * Approves the command of a connection permanently and connects it. Pass the server itself while it has no name. No
   * tool calls this: it is for users and programs.
   */
  approveCommand(connection: string | ManagedServer): Promise<ManagedConnection | undefined>;
  /** Approves a tool change permanently. Returns false if the change is not pending any more. */
  approve(name: string, change: ToolChange): boolean;
}

/** Options of {@link ConnectionManager.add}. */
export interface AddServerOptions {
  readonly name?: string;
  /** Called with the server before it is connected. */
  readonly onAdded?: (server: ManagedServer) => void;
}
