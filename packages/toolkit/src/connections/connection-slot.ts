import type { Connection, ManagedServer, ManagedState } from '@haft/mcp';
import { ToolkitError } from '../toolkit-error.ts';
import { webAddressOf } from './connection-source.ts';
import type { OpenConnector } from './open-connector.ts';
import { createServerItems, type ServerItems } from './server-items.ts';

/** What is known of one connection. */
export interface ConnectionInfo {
  /** Its namespace; empty while its server has not said its name. */
  readonly namespace: string;
  readonly url?: string;
  /** `connecting` until it is there, or can't be: `unapproved` waits for `approveCommand`, `missing` for a variable, `failed` is tried again. */
  readonly state: ManagedState;
  readonly server?: { readonly name: string; readonly version: string };
  /** Why it is not there. */
  readonly reason?: string;
  /** The MCP connection itself, with what its server has changed and how to approve that. */
  readonly connection?: Connection;
}

/** One connection: a server of the manager, or a connector of the program. */
export interface Slot {
  /** That of a connector, and the one that was asked for; empty until it is known. */
  namespace: string;
  readonly url: string | undefined;
  server?: ManagedServer;
  items?: ServerItems;
  own?: OpenConnector;
  reason?: string;
  isOver?: boolean;
  done?: Promise<unknown>;
}

/** The namespace of a slot, as far as it is known. */
export function nameOf({ server, namespace }: Slot): string {
  return server?.name ?? namespace;
}

/** What is known of a slot, for the program. */
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
    ...(connection && { connection }),
  };
}

/** Gives a slot its server. */
export function holdServer(slot: Slot, server: ManagedServer): void {
  slot.server = server;
  slot.items = createServerItems(server);
}

/** @throws ToolkitError `CLOSED` for one that was removed meanwhile. */
export function assertWanted(slot: Slot): void {
  if (slot.isOver) throw new ToolkitError('CLOSED', 'it was removed while it was being connected');
}
