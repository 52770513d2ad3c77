import { describeCause } from '@haft/core';
import { createNetworkGuard } from '@haft/sandbox';
import { createConnection } from '../create-connection.ts';
import { createGuardedStreamFetch } from '../guarded-stream-fetch.ts';
import { McpError } from '../mcp-error.ts';
import type { Connection } from '../connection.ts';
import type { ConnectionEvent } from '../connection-report.ts';
import type { ApprovedTool, ToolApprovals } from '../tool-approvals.ts';
import { addressOf, describeCommand, hashOf } from './command-print.ts';
import type { ConnectionShelf } from './connection-shelf.ts';
import { expandReferences } from './expand-references.ts';
import type { ConnectionManagerOptions, ManagedConnection, ManagedState } from './manager-options.ts';
import type { ServerEntry } from './server-entry.ts';

/** One server of a manager, connected or not. */
export interface ManagedServer {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly origin: ManagedConnection['origin'];
  readonly connection: Connection | undefined;
  info(): ManagedConnection;
  /** Connects, if it isn't connected. Never rejects: what went wrong is the server's state. */
  open(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What a server needs of its manager. */
export interface ServerDesk {
  readonly options: ConnectionManagerOptions;
  readonly shelf: ConnectionShelf;
  onState(server: ManagedServer): void;
  onEvent(name: string, event: ConnectionEvent): void;
  onKeepFailed(name: string, error: unknown): void;
}

/** Makes a server that is not connected yet. */
export function createManagedServer(
  name: string,
  entry: ServerEntry,
  origin: ManagedConnection['origin'],
  desk: ServerDesk,
): ManagedServer {
  const { options, shelf } = desk;
  let state: ManagedState = 'connecting';
  let reason = '';
  let connection: Connection | undefined;
  let opening: Promise<void> | undefined;
  const closed = new AbortController();

  const become = (next: ManagedState, why = ''): void => {
    state = next;
    reason = why;
    desk.onState(server);
  };

  const isApproved = async (signal: AbortSignal): Promise<boolean> => {
    const question = describeCommand(name, entry);
    if (await shelf.isApproved(question.hash)) return true;
    if (!(await options.askCommand?.(question, signal))) return false;
    await shelf.approve(question.hash, question.line);
    return true;
  };

  async function connect(signal: AbortSignal): Promise<void> {
    const expanded = expandReferences(entry, options.environment ?? process.env);
    if (!expanded.ok) {
      const names = expanded.missing.join(', ');
      return become('missing', `the environment has no ${names}, which its configuration refers to`);
    }
    if (entry.command !== undefined && !(await isApproved(signal)))
      return become('unapproved', `a person has to approve its command first: ${addressOf(entry)}`);
    const { includeTools, excludeTools = [], ...where } = expanded.entry;
    const approvals = await openApprovals();
    const made = await createConnection({
      ...(origin === 'kept' && where.url !== undefined
        ? { fetch: createGuardedStreamFetch(createNetworkGuard(options.network)) }
        : {}),
      ...options.connections,
      ...where,
      name,
      registry: options.registry,
      approvals,
      secrets: [...expanded.values, ...(options.connections?.secrets ?? [])],
      exposes: (tool) => (includeTools?.includes(tool) ?? true) && !excludeTools.includes(tool),
      signal,
      ...(options.steer ? { steer: options.steer } : {}),
      onEvent: hear,
    });
    if (closed.signal.aborted) return made.close();
    connection = made;
    become('ready');
  }

  const hear = (event: ConnectionEvent): void => {
    desk.onEvent(name, event);
    options.connections?.onEvent?.(event);
    if (event.type === 'state-change' && connection) become(event.state, event.reason ?? '');
  };

  /** What was trusted of it before; what is trusted now is written soon after. */
  async function openApprovals(): Promise<ToolApprovals> {
    const hash = hashOf(entry);
    const kept = new Map((await shelf.tools(name, hash)).map((one) => [one.tool, one]));
    let fresh: ApprovedTool[] = [];
    return {
      get: (tool) => kept.get(tool),
      set(approved) {
        kept.set(approved.tool, approved);
        fresh.push(approved);
        if (fresh.length > 1) return;
        queueMicrotask(() => {
          const written = fresh;
          fresh = [];
          writing = writing.then(() =>
            shelf.keepTools(name, hash, written).catch((error: unknown) => desk.onKeepFailed(name, error)),
          );
        });
      },
    };
  }
  let writing: Promise<void> = Promise.resolve();

  const server: ManagedServer = {
    name,
    entry,
    origin,
    get connection() {
      return connection;
    },
    info: () => ({
      name,
      origin,
      state,
      reason,
      address: addressOf(entry),
      server: connection?.server,
      tools: connection?.tools.map((tool) => tool.name) ?? [],
      changes: connection?.changes ?? [],
    }),
    open(signal) {
      if (state === 'ready' || state === 'restarting') return Promise.resolve();
      return (opening ??= (async () => {
        const either = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal;
        try {
          await connection?.close();
          connection = undefined;
          become('connecting');
          await connect(either);
          await writing;
        } catch (error) {
          become('failed', error instanceof McpError ? error.message : describeCause(error));
        } finally {
          opening = undefined;
        }
      })());
    },
    async close() {
      closed.abort();
      await opening;
      await connection?.close();
      await writing;
      state = 'closed';
    },
  };
  return server;
}
