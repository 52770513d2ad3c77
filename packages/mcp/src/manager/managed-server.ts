import { describeCause } from '@haft/core/results';
import { createNetworkGuard } from '@haft/sandbox';
import { createConnection } from '../client/create-connection.ts';
import { createGuardedStreamFetch } from '../http/guarded-stream-fetch.ts';
import { McpError } from '../mcp-error.ts';
import type { Connection } from '../client/contract/connection.ts';
import type { ConnectionEvent } from '../client/contract/connection-report.ts';
import { describeStarting } from '../client/session/package-runner.ts';
import { createRestarts } from '../client/session/restarts.ts';
import { addressOf, describeCommand, identityOf } from './describe-server-command.ts';
import type { ConnectionStore } from './connection-store.ts';
import { expandReferences, referencesOf } from './expand-references.ts';
import type { ConnectionManagerOptions, ManagedConnection, ManagedState } from './manager-options.ts';
import type { ServerSource } from './server-source.ts';
import { createTrustedTools } from './trusted-tools.ts';

/** A server of a connection manager. */
export interface ManagedServer {
  /** Empty until an unnamed server has reported its name. */
  readonly name: string;
  /** The current connection with its tools, prompts and resources. */
  readonly connection: Connection | undefined;
  info(): ManagedConnection;
}

/** A server with the methods that only its manager uses. */
export interface ManagedServerHandle extends ManagedServer {
  readonly source: ServerSource;
  readonly origin: ManagedConnection['origin'];
  /** Connects unless connected. Never rejects: failures are in the server's state. */
  open(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies of a managed server. */
export interface ManagedServerDeps {
  readonly options: ConnectionManagerOptions;
  readonly connectionStore: ConnectionStore;
  /** @throws McpError `NAME_TAKEN` if a server can't have the name that it reports. */
  claim(server: ManagedServerHandle, name: string): void;
  onState(server: ManagedServerHandle): void;
  onEvent(name: string, event: ConnectionEvent): void;
  onSaveFailed(name: string, error: unknown): void;
}

const maxRetries = 100;

/**
 * Creates a server that is not connected yet. Without a given name, it gets the saved name or the one that it reports.
 */
export function createManagedServer(
  given: string,
  source: ServerSource,
  origin: ManagedConnection['origin'],
  deps: ManagedServerDeps,
): ManagedServerHandle {
  const { options, connectionStore } = deps;
  const identity = identityOf(source);
  const hasAddress = source.transport === undefined;
  const sendsValues = source.url !== undefined && origin === 'configuration' && referencesOf(source).length > 0;
  /** What the user has to approve. */
  const whyAsked =
    source.command !== undefined
      ? 'its command'
      : options.confirmReferences === true && sendsValues
        ? 'the values that it gets'
        : undefined;
  // The reported name is saved, because the trusted tools of the server are stored under it.
  const isUnnamed = given === '' && hasAddress;
  let name = given;
  let state: ManagedState = 'connecting';
  let reason = describeStarting(source.command);
  let connection: Connection | undefined;
  let opening: Promise<void> | undefined;
  let isTransient = false;
  const closed = new AbortController();
  const trust = createTrustedTools(connectionStore, identity, (error) => deps.onSaveFailed(name, error));

  const setState = (next: ManagedState, why = ''): void => {
    if (state === next && reason === why) return;
    state = next;
    reason = why;
    deps.onState(server);
  };

  const isApproved = async (signal: AbortSignal): Promise<boolean> => {
    const request = describeCommand(name, source);
    if (await connectionStore.isApproved(request.hash)) return true;
    if (options.confirmCommand) setState('connecting', `the user is asked to approve ${whyAsked}`);
    // The callback may ignore the signal.
    if (!(await Promise.race([options.confirmCommand?.(request, signal), aborted(signal)]))) return false;
    await connectionStore.approve(request.hash, addressOf(source));
    setState('connecting', describeStarting(source.command));
    return true;
  };

  async function connect(signal: AbortSignal): Promise<void> {
    const expanded = expandReferences(source, options.environment ?? process.env);
    if (!expanded.ok) {
      const names = expanded.missing.join(', ');
      return setState('missing', `the environment variables used in its configuration are not set: ${names}`);
    }
    if (whyAsked !== undefined && !(await isApproved(signal)))
      return setState('unapproved', `the user has to approve ${whyAsked} first: ${addressOf(source)}`);
    const savedName = isUnnamed ? await connectionStore.nameOf(identity) : undefined;
    const known = name === '' ? (savedName ?? '') : name;
    const { includeTools, excludeTools = [], expose, ...where } = expanded.entry;
    const opened = await createConnection({
      ...(origin === 'saved' && where.url !== undefined
        ? { fetch: createGuardedStreamFetch(createNetworkGuard(options.network)) }
        : {}),
      ...(options.steer ? { steer: options.steer } : {}),
      eras: connectionStore.eras,
      ...options.connections,
      ...where,
      ...(known === '' ? {} : { name: known }),
      registry: options.registry,
      async approvals(reportedName) {
        deps.claim(server, reportedName);
        name = reportedName;
        return trust.load(reportedName);
      },
      secrets: [...expanded.values, ...(options.connections?.secrets ?? []), ...(source.secrets ?? [])],
      expose: (tool) =>
        (includeTools?.includes(tool) ?? true) && !excludeTools.includes(tool) && (expose?.(tool) ?? true),
      signal,
      onEvent: handleEvent,
    });
    if (closed.signal.aborted) return opened.close();
    connection = opened;
    if (isUnnamed && savedName === undefined)
      await connectionStore.saveName(identity, name).catch((error: unknown) => deps.onSaveFailed(name, error));
    setState('ready');
  }

  const handleEvent = (event: ConnectionEvent): void => {
    deps.onEvent(name, event);
    options.connections?.onEvent?.(event);
    if (event.type === 'state-change' && connection) setState(event.state, event.reason ?? '');
  };

  /** Makes one attempt. A retry in the background reports only a changed state. */
  const attempt = (signal: AbortSignal, isRetry: boolean): Promise<void> =>
    (opening ??= (async () => {
      isTransient = false;
      try {
        await connection?.close();
        connection = undefined;
        if (!isRetry) setState('connecting', describeStarting(source.command));
        await connect(signal);
        await trust.flush();
      } catch (error) {
        const code = error instanceof McpError ? error.code : undefined;
        isTransient = code === 'CONNECT_FAILED' || code === 'CONNECT_TIMEOUT';
        if (!closed.signal.aborted)
          setState('failed', error instanceof McpError ? error.message : describeCause(error));
      } finally {
        opening = undefined;
      }
    })());

  const retries = createRestarts({
    attempt: async () => {
      if (state === 'failed') await attempt(closed.signal, true);
      return !isTransient;
    },
    onExhausted: () => undefined,
    maxAttempts: maxRetries,
    initialAttempts: 1,
    random: Math.random,
  });
  const isRetried = hasAddress && (source.restart ?? options.connections?.restart ?? true);

  const server: ManagedServerHandle = {
    get name() {
      return name;
    },
    source,
    origin,
    get connection() {
      return connection;
    },
    info: () => ({
      name,
      origin,
      state,
      reason,
      address: addressOf(source),
      ...(state === 'unapproved' ? { approval: describeCommand(name, source) } : {}),
      server: connection?.server,
      tools: connection?.tools.map((tool) => tool.name) ?? [],
      changes: connection?.changes ?? [],
    }),
    async open(signal) {
      if (state === 'ready' || state === 'restarting' || closed.signal.aborted) return;
      await attempt(signal ? AbortSignal.any([signal, closed.signal]) : closed.signal, false);
      if (isRetried && isTransient && !closed.signal.aborted) retries.start();
    },
    async close() {
      closed.abort();
      retries.stop();
      await opening;
      await connection?.close();
      await trust.flush();
      state = 'closed';
    },
  };
  return server;
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}
