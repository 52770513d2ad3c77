import type { SteerSink, ToolRegistry } from '@haft/core';
import type { NetworkGuardOptions } from '@haft/sandbox';
import type { Store } from '@haft/store';
import type { ConnectionOptions } from '../client/contract/connection-options.ts';
import type { ConnectionEvent } from '../client/contract/connection-report.ts';
import type { ToolChange } from '../client/contract/tool-change.ts';
import type { CommandApprovalRequest } from './describe-server-command.ts';
import type { ReferenceValues } from './expand-references.ts';
import type { ServerSource } from './server-source.ts';

/** Options of {@link createConnectionManager}. */
export interface ConnectionManagerOptions {
  readonly registry: ToolRegistry;
  /** Configured servers, as returned by `readServers`. They are connected at each start and never saved. */
  readonly servers?: Readonly<Record<string, ServerSource>>;
  /**
   * Stores connections added while the program runs, approved commands and trusted tools. Default: in memory. Values of
   * references are never written, and neither is text in `env` or `headers` that is not a reference.
   */
  readonly store?: Store;
  /** Separates the data of programs that share a store. Default `default`. */
  readonly scope?: string;
  /** Values for references such as `${TOKEN}`. Default `process.env`. */
  readonly environment?: ReferenceValues;
  /**
   * Variables that a model may refer to when it connects a server. Default: none. A model can send the value of such a
   * variable to any server that it connects.
   */
  readonly modelReferences?: readonly string[];
  /**
   * Asks the user to approve a new command. Resolve to true to approve exactly this command permanently. Default: the
   * command is not started until `approveCommand(name)`.
   */
  readonly confirmCommand?: (request: CommandApprovalRequest, signal: AbortSignal) => Promise<boolean> | boolean;
  /**
   * Whether a configured server at a URL needs approval, too, if its entry sends values of the environment to it.
   * Default: false. Set it for a configuration that you don't trust, such as a file of a cloned repository.
   */
  readonly confirmReferences?: boolean;
  /**
   * Hosts allowed for servers connected while the program runs. Default: only the public network. Servers in `servers`
   * may be anywhere.
   */
  readonly network?: NetworkGuardOptions;
  /** Returns whether a name may not be used for a connection. Default: none is reserved. */
  readonly isReserved?: (name: string) => boolean;
  /** Receives the notifications of all servers. */
  readonly steer?: SteerSink;
  /** Whether to register `mcp_connect`, `mcp_disconnect` and `mcp_list`. Default true. */
  readonly lifecycle?: boolean;
  /** Options for every connection, such as timeouts. */
  readonly connections?: Omit<
    ConnectionOptions,
    | 'name'
    | 'command'
    | 'args'
    | 'env'
    | 'cwd'
    | 'url'
    | 'headers'
    | 'transport'
    | 'registry'
    | 'approvals'
    | 'expose'
    | 'readOnly'
  >;
  /** Called for each event. Errors are dropped. */
  readonly onEvent?: (event: ManagerEvent) => void;
}

/**
 * State of a managed connection. `connecting`: the first attempt runs. `ready`, `restarting`, `lost` and `closed`: see
 * `ConnectionState`. `unapproved`: its command, or that it gets values of the environment, is not approved. `missing`: a
 * referenced variable is not set. `failed`:
 * see the reason.
 */
export type ManagedState =
  | 'connecting'
  | 'ready'
  | 'restarting'
  | 'lost'
  | 'closed'
  | 'unapproved'
  | 'missing'
  | 'failed';

/** A snapshot of a connection. */
export interface ManagedConnection {
  /** Empty until an unnamed server has reported its name. */
  readonly name: string;
  /**
   * `configuration`: from `servers` or `add`. `saved`: connected while a program ran and restored at the next start.
   */
  readonly origin: 'configuration' | 'saved';
  readonly state: ManagedState;
  /** Why the connection is not ready; otherwise empty. */
  readonly reason: string;
  /** The command or URL on one line, without secrets. */
  readonly address: string;
  /** The command that waits for approval. Only in the state `unapproved`. */
  readonly approval?: CommandApprovalRequest;
  /** Name and version that the server reports; for display only. */
  readonly server: { readonly name: string; readonly version: string } | undefined;
  /** Registered names of its tools. */
  readonly tools: readonly string[];
  /** Changes of tool definitions that wait for approval. */
  readonly changes: readonly ToolChange[];
}

/** An event of a connection manager. */
export type ManagerEvent =
  /** The state of a connection changed. */
  | { readonly type: 'connection'; readonly connection: ManagedConnection }
  /** A connection was removed. */
  | { readonly type: 'disconnected'; readonly name: string }
  /** An event of one connection. */
  | { readonly type: 'event'; readonly name: string; readonly event: ConnectionEvent }
  /** Saving failed, so the data applies to this run only. */
  | { readonly type: 'save-failed'; readonly name: string; readonly message: string };
