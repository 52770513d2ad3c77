import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import type { ServerMessage } from './server-message.ts';
import type { ToolChange } from './tool-change.ts';

/** What happens to a connection. */
export type ConnectionEvent =
  | {
      readonly type: 'tool-list-changed';
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly replaced: readonly string[];
    }
  /** The server has changed what it says of a tool, which can't be used until `connection.approve(change)`. */
  | { readonly type: 'tool-suspended'; readonly change: ToolChange }
  | { readonly type: 'diagnostic'; readonly diagnostic: ConnectionDiagnostic }
  | ServerMessage
  | ConnectionStateChange;

/** A connection is in another state than before. */
export interface ConnectionStateChange {
  readonly type: 'state-change';
  readonly state: ConnectionState;
  /** What the server says of itself; for display only. */
  readonly server?: { readonly name: string; readonly version: string } | undefined;
  /** Why the server is gone, when it is gone without having been asked to. */
  readonly reason?: string;
  /** The end of what it wrote to standard error, without secrets. */
  readonly stderr?: string;
}

/**
 * `ready`: calls are answered. `restarting`: the server is gone without having been asked to, and is being brought back; its
 * tools stay registered. `lost`: it will not be brought back. `closed`: by `connection.close()`.
 */
export type ConnectionState = 'ready' | 'restarting' | 'lost' | 'closed';
