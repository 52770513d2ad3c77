import type { SteerSink, ToolRegistry } from '@haft/core';
import type { NetworkGuardOptions } from '@haft/sandbox';
import type { Store } from '@haft/store';
import type { ConnectionOptions } from '../client/contract/connection-options.ts';
import type { ConnectionEvent } from '../client/contract/connection-report.ts';
import type { ToolChange } from '../client/contract/tool-change.ts';
import type { CommandApprovalRequest } from './describe-command.ts';
import type { ReferenceValues } from './expand-references.ts';
import type { ServerSource } from './server-source.ts';

/** What {@link createConnectionManager} takes. */
export interface ConnectionManagerOptions {
  readonly registry: ToolRegistry;
  /** Servers of a configuration, as `readServers` reads them. They are connected at each start, and never kept. */
  readonly servers?: Readonly<Record<string, ServerSource>>;
  /**
   * Where connections that were made while the program ran, approved commands and trusted tools are kept. Default: for this
   * run alone. No value of a reference, and no text in `env` or `headers` that isn't one, is ever written.
   */
  readonly store?: Store;
  /** Programs with the same scope of one store share what is kept; default `default`. */
  readonly scope?: string;
  /** What references such as `${TOKEN}` stand for; default `process.env`. */
  readonly environment?: ReferenceValues;
  /**
   * Variables that a model may refer to when it connects a server; default none. With one that holds a secret it can be sent
   * wherever the model connects to.
   */
  readonly modelReferences?: readonly string[];
  /**
   * Puts a command that was never started before to a person; true approves of exactly this command, for good. Default: it is
   * not started, until `approveCommand(name)`.
   */
  readonly confirmCommand?: (question: CommandApprovalRequest, signal: AbortSignal) => Promise<boolean> | boolean;
  /**
   * Where servers that were connected while the program ran may be; default the public network alone. Those of `servers` may be
   * anywhere.
   */
  readonly network?: NetworkGuardOptions;
  /** Names that no connection can have, whoever gives them; default none. */
  readonly isReserved?: (name: string) => boolean;
  /** Gets what servers tell without having been asked. */
  readonly steer?: SteerSink;
  /** Whether `mcp_connect`, `mcp_disconnect` and `mcp_list` are registered; default true. */
  readonly lifecycle?: boolean;
  /** Options of every connection, such as time limits. */
  readonly connections?: Omit<
    ConnectionOptions,
    'name' | 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers' | 'transport' | 'registry' | 'approvals' | 'expose'
  >;
  /** Hears what happens. What it throws is dropped. */
  readonly onEvent?: (event: ManagerEvent) => void;
}

/**
 * How a connection is. `connecting`: for the first time. `ready`, `restarting`, `lost`, `closed`: as `Connection` says.
 * `unapproved`: nobody has approved its command. `missing`: a variable it refers to isn't set. `failed`: see the reason.
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

/** What is known of a connection. */
export interface ManagedConnection {
  /** Empty while a server that was given no name has not said its own. */
  readonly name: string;
  /** `configuration`: of `servers`, or added by the program. `saved`: connected while a program ran, and restored at the next start. */
  readonly origin: 'configuration' | 'saved';
  readonly state: ManagedState;
  /** Why it isn't ready; empty when it is. */
  readonly reason: string;
  /** The command or URL on one line, without secrets. */
  readonly address: string;
  /** What the server calls itself; for display only. */
  readonly server: { readonly name: string; readonly version: string } | undefined;
  /** Names of its tools. */
  readonly tools: readonly string[];
  /** What it has changed of its tools and nobody has approved. */
  readonly changes: readonly ToolChange[];
}

/** What happens to the connections of a manager. */
export type ManagerEvent =
  /** A connection is in another state. */
  | { readonly type: 'connection'; readonly connection: ManagedConnection }
  /** A connection was taken away. */
  | { readonly type: 'disconnected'; readonly name: string }
  /** Something of one connection, as it tells it. */
  | { readonly type: 'event'; readonly name: string; readonly event: ConnectionEvent }
  /** What should be kept could not be; it counts for this run. */
  | { readonly type: 'save-failed'; readonly name: string; readonly message: string };
