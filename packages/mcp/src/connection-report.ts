import type { ServerMessage } from './server-message.ts';
import type { ToolChange } from './tool-change.ts';

/** What a server did that was not as it should be; its connection goes on. */
export interface ConnectionDiagnostic {
  readonly kind:
    /** A tool that can't be used: no name, no object schema, a schema that does not compile, is nested too deeply or has overlong names. */
    | 'invalid-tool'
    /** A second tool of the same name. */
    | 'duplicate-tool'
    /** A schema beyond the limit; the tool is not registered. */
    | 'large-schema'
    /** A description beyond the limit was cut, or held hidden characters. */
    | 'changed-description'
    /** A schema that held hidden characters or overlong texts was freed of them. */
    | 'changed-schema'
    /** A list that goes round in circles, never ends or is too long; what was read is used. */
    | 'endless-list'
    /** Tools could not be listed again; those known before stay. */
    | 'list-failed'
    /** A server that is gone could not be brought back this time; it is tried again. */
    | 'restart-failed'
    /** Lines on standard output that are no messages. */
    | 'garbage'
    /** An answer beyond the limit; its call failed. */
    | 'large-message'
    /** The protocol was broken in some other way. */
    | 'protocol';
  readonly message: string;
  /** The server's own name of the tool in question. */
  readonly tool?: string;
}

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

/** Hears diagnostics. */
export type Report = (diagnostic: ConnectionDiagnostic) => void;
