import { describeCause, type ToolRegistry } from '@haft/core';
import { McpError, type Connection, type ConnectionState } from '@haft/mcp';
import type { Namespace } from '../catalogue/item.ts';
import type { EventQueue } from '../events.ts';
import { checkNamespace, ReservedNamespaces } from '../namespaces.ts';
import { ToolkitError } from '../toolkit-error.ts';
import { canonicalUrl, urlOf, type ConnectionSource } from './connection-source.ts';
import type { ToolkitDelegate } from '../toolkit-options.ts';
import type { ConnectorEvent } from './connector.ts';
import { openConnector, openServer, type OpenConnection, type OpenOptions } from './open-connection.ts';

/** What is known of one connection. */
export interface ConnectionInfo {
  /** Its namespace; empty while its server has not said its name. */
  readonly namespace: string;
  readonly url?: string;
  /** `connecting` until it is there or `failed`. */
  readonly state: ConnectionState | 'connecting' | 'failed';
  readonly server?: { readonly name: string; readonly version: string };
  /** Why it failed. */
  readonly reason?: string;
  /** The MCP connection itself, with what its server has changed and how to approve that. */
  readonly connection?: Connection;
}

/** The connections of a toolkit. */
export interface ConnectionDesk {
  /** Connects; what goes wrong at the other end is in the info, never thrown. */
  add(source: ConnectionSource, namespace?: string): Promise<ConnectionInfo>;
  /** Ends the connection of this address or namespace; false when there is none. */
  remove(key: string): Promise<boolean>;
  infos(): readonly ConnectionInfo[];
  /** Those that are there, in the order in which they were added. */
  namespaces(): readonly Namespace[];
  close(): Promise<void>;
}

/** What a desk needs. */
export interface ConnectionDeskOptions {
  readonly registry: ToolRegistry;
  readonly events: EventQueue;
  readonly delegate: Pick<ToolkitDelegate, 'createConnector'> | undefined;
}

interface Slot {
  /** Empty until it is known. */
  namespace: string;
  readonly url: string | undefined;
  readonly abort: AbortController;
  open?: OpenConnection;
  reason?: string;
  /** Attempts that failed one after another. */
  failures?: number;
  done?: Promise<unknown>;
}

const firstPauseMs = 500;
const longestPauseMs = 60_000;
const maxRetries = 100;

/** Makes a desk without connections. */
export function createConnectionDesk({ registry, events, delegate }: ConnectionDeskOptions): ConnectionDesk {
  const slots: Slot[] = [];

  const infoOf = ({ namespace, url, open, reason }: Slot): ConnectionInfo => ({
    namespace,
    ...(url === undefined ? {} : { url }),
    state: open?.state ?? (reason === undefined ? 'connecting' : 'failed'),
    ...(open?.server && { server: open.server }),
    ...(reason === undefined ? {} : { reason }),
    ...(open?.connection && { connection: open.connection }),
  });

  async function connect(slot: Slot, source: ConnectionSource): Promise<ConnectionInfo> {
    const hear = (event: ConnectorEvent): void => {
      if (event.type !== 'tool-list-changed') events.emit({ ...event, namespace: slot.namespace });
    };
    const report: OpenOptions['report'] = (diagnostic) =>
      events.emit({ type: 'diagnostic', diagnostic: { ...diagnostic, namespace: slot.namespace } });
    const { signal } = slot.abort;
    const namespace = slot.namespace === '' ? undefined : slot.namespace;
    try {
      slot.open =
        (await openOwn(slot, { registry, hear, report })) ??
        (await openServer(source, { namespace, registry, signal, hear, report }));
      await takeName(slot, slot.open.name);
      delete slot.reason;
      slot.failures = 0;
      const { state, server } = slot.open;
      hear({ type: 'state-change', state, ...(server && { server }) });
    } catch (cause) {
      await slot.open?.close();
      delete slot.open;
      retryLater(slot, source, cause);
      slot.reason = describeCause(cause);
      events.emit({ type: 'state-change', namespace: slot.namespace, state: 'failed', reason: slot.reason });
      if ((slot.failures ?? 0) <= 1)
        report({
          kind: 'connection',
          message: `${namespace ?? slot.url ?? 'a server'} could not be connected: ${slot.reason}`,
        });
    }
    return infoOf(slot);
  }

  /** A server that isn't there yet is tried again by itself, at a random moment of pauses that double to a minute. */
  function retryLater(slot: Slot, source: ConnectionSource, cause: unknown): void {
    const code = cause instanceof McpError ? cause.code : undefined;
    const failures = (slot.failures = (slot.failures ?? 0) + 1);
    const isGone = slot.abort.signal.aborted || !slots.includes(slot);
    if (isGone || (code !== 'CONNECT_FAILED' && code !== 'CONNECT_TIMEOUT') || failures > maxRetries) return;
    const timer = setTimeout(
      () => {
        if (slot.abort.signal.aborted || !slots.includes(slot)) return;
        slot.done = connect(slot, source);
      },
      Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1)),
    );
    timer.unref();
    slot.abort.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  async function openOwn(
    slot: Slot,
    options: Pick<OpenOptions, 'registry' | 'hear' | 'report'>,
  ): Promise<OpenConnection | undefined> {
    if (slot.url === undefined) return undefined;
    // What it says before it is taken in has nobody to hear it yet.
    let listener: ((event: ConnectorEvent) => void) | undefined;
    const connector = await delegate?.createConnector?.(slot.url, (event) => listener?.(event));
    if (!connector) return undefined;
    const name = slot.namespace === '' ? connector.name : slot.namespace;
    checkNamespace(name);
    await takeName(slot, name);
    return openConnector(connector, name, options, (given) => {
      listener = given;
    });
  }

  /** A name that a server gives itself may be one that it can't have. */
  async function takeName(slot: Slot, name: string): Promise<void> {
    if (slot.abort.signal.aborted) throw new ToolkitError('CLOSED', 'it was removed while it was being connected');
    const isTaken = slots.some((other) => other !== slot && other.namespace === name);
    if (isTaken || ReservedNamespaces.includes(name))
      throw new ToolkitError(
        'CONFLICT',
        `its name ${name} is ${isTaken ? 'taken' : 'reserved'}; add it under another with addConnectorNS`,
      );
    slot.namespace = name;
  }

  async function end(slot: Slot): Promise<void> {
    slots.splice(slots.indexOf(slot), 1);
    slot.abort.abort(new ToolkitError('CLOSED', 'the connection was removed'));
    await slot.done;
    await slot.open?.close();
    events.emit({ type: 'state-change', namespace: slot.namespace, state: 'closed' });
  }

  return {
    add(source, namespace) {
      if (namespace !== undefined) checkNamespace(namespace);
      const url = urlOf(source);
      const same = slots.find(
        (slot) => (url !== undefined && slot.url === url) || slot.namespace === (namespace ?? '?'),
      );
      // One that failed makes room for another attempt.
      if (same && same.reason === undefined)
        throw new ToolkitError(
          'CONFLICT',
          `there is a connection to ${url === same.url && url !== undefined ? url : namespace} already`,
        );
      if (same) {
        same.abort.abort(new ToolkitError('CLOSED', 'another took its place'));
        slots.splice(slots.indexOf(same), 1);
      }
      const slot: Slot = { namespace: namespace ?? '', url, abort: new AbortController() };
      slots.push(slot);
      const done = connect(slot, source);
      slot.done = done;
      return done;
    },
    async remove(key) {
      const address = URL.canParse(key) && /^https?:/.test(key) ? canonicalUrl(key) : undefined;
      const slot = slots.find(({ namespace, url }) => namespace === key || (address !== undefined && url === address));
      if (slot) await end(slot);
      return slot !== undefined;
    },
    infos: () => slots.map(infoOf),
    namespaces: () =>
      slots.flatMap(({ open, namespace }): readonly Namespace[] =>
        open
          ? [{ name: namespace, kind: 'connection', prompts: () => open.prompts(), resources: () => open.resources() }]
          : [],
      ),
    close: async () => void (await Promise.all(Array.from(slots, end))),
  };
}
