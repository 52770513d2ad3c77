import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import type { ServerMessage } from './server-message.ts';
import type { ToolChange } from './tool-change.ts';

/** An event of a connection. */
export type ConnectionEvent =
  | {
      readonly type: 'tool-list-changed';
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly replaced: readonly string[];
    }
  /** The server is not ready after 5 s. */
  | { readonly type: 'starting'; readonly message: string }
  /** The server changed the definition of a tool, which can't be used until `connection.approve(change)`. */
  | { readonly type: 'tool-suspended'; readonly change: ToolChange }
  | { readonly type: 'diagnostic'; readonly diagnostic: ConnectionDiagnostic }
  | ServerMessage
  | ConnectionStateChange;

/** A change of a connection's state. */
export interface ConnectionStateChange {
  readonly type: 'state-change';
  readonly state: ConnectionState;
  /** Name and version that the server reports; for display only. */
  readonly server?: { readonly name: string; readonly version: string } | undefined;
  /** Reason for losing the server. */
  readonly reason?: string;
  /** The last text on the server's standard error, without secrets. */
  readonly stderr?: string;
}

/**
 * State of a connection. `ready`: calls are answered. `restarting`: the server was lost and is being restarted; its
 * tools stay registered. `lost`: the server was lost and will not be restarted. `closed`: `connection.close()` was
 * called.
 */
export type ConnectionState = 'ready' | 'restarting' | 'lost' | 'closed';
