import type { CommandApprovalRequest, Connection, ManagedServer, ManagedState } from '@haft/mcp';
import { ToolkitError } from '../toolkit-error.ts';
import { webAddressOf } from './connection-source.ts';
import type { OpenConnector } from './open-connector.ts';
import { createServerItems, type ServerItems } from './server-items.ts';

/** The state of one connection. */
export interface ConnectionInfo {
  /** The namespace, or an empty string until the server has reported its name. */
  readonly namespace: string;
  readonly url?: string;
  /**
   * Connection state. `connecting`: not established yet. `unapproved`: waits for `approveCommand`. `missing`: a
   * variable is missing. `failed`: will be retried.
   */
  readonly state: ManagedState;
  readonly server?: { readonly name: string; readonly version: string };
  /** The reason why the connection is not established. */
  readonly reason?: string;
  /** The command that `approveCommand` approves. Only in the state `unapproved`. */
  readonly approval?: CommandApprovalRequest;
  /** The MCP connection. It lists the changes of the server and provides the way to approve them. */
  readonly connection?: Connection;
}

/** One connection: a server of the connection manager, or a connector of the program. */
export interface Slot {
  /** The namespace of the connector or the requested namespace; empty until it is known. */
  namespace: string;
  readonly url: string | undefined;
  server?: ManagedServer;
  items?: ServerItems;
  own?: OpenConnector;
  reason?: string;
  isOver?: boolean;
  done?: Promise<unknown>;
}

/** Returns the namespace of a slot, or an empty string if it is not known yet. */
export function nameOf({ server, namespace }: Slot): string {
  return server?.name ?? namespace;
}

/** Returns the public state of a slot. */
export function infoOf(slot: Slot): ConnectionInfo {
  const known = slot.server?.info();
  const { state, server }: Pick<ConnectionInfo, 'state'> & { readonly server?: ConnectionInfo['server'] | undefined } =
    known ?? slot.own ?? { state: slot.reason === undefined ? 'connecting' : 'failed' };
  const url = slot.url ?? (known && webAddressOf(known.address));
  const reason = known ? known.reason : (slot.reason ?? '');
  const connection = slot.server?.connection;
  return {
    namespace: nameOf(slot),
    ...(url === undefined ? {} : { url }),
    state,
    ...(server && { server }),
    ...(reason === '' ? {} : { reason }),
    ...(known?.approval && { approval: known.approval }),
    ...(connection && { connection }),
  };
}

/** Assigns a server to a slot. */
export function holdServer(slot: Slot, server: ManagedServer): void {
  slot.server = server;
  slot.items = createServerItems(server);
}

/**
 * Asserts that a slot is still in use.
 * @throws ToolkitError `CLOSED` if the connection was removed in the meantime.
 */
export function assertWanted(slot: Slot): void {
  if (slot.isOver) throw new ToolkitError('CLOSED', 'it was removed while it was being connected');
}
