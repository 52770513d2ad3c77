import type { ToolContext, ToolResult } from '@haft/core';
import { SdkHttpError, type Client, type SubscriptionFilter } from '@modelcontextprotocol/client';
import { callRemoteTool } from './tools/call-remote-tool.ts';
import { cleanLine } from '../untrusted/clean-text.ts';
import { coalesce } from '../flow/coalesce-runs.ts';
import type { SecretRedactor } from '../untrusted/redact-secrets.ts';
import { connectInTime, describeConnectFailure } from './session/connect-in-time.ts';
import type { FilledConnectionOptions } from './contract/connection-options.ts';
import type { Connection } from './contract/connection.ts';
import type { ConnectionEvent, ConnectionState, ConnectionStateChange } from './contract/connection-report.ts';
import type { ConnectionDiagnostic } from '../connection-diagnostic.ts';
import { listRemoteTools } from './tools/list-remote-tools.ts';
import { createRemoteLibrary } from './create-remote-library.ts';
import { describeFault } from './session/describe-server-output.ts';
import { describeLostStream, keepListening } from './session/keep-listening.ts';
import { createSession, type Session } from './session/create-session.ts';
import type { SessionListener } from './session/watch-incoming-messages.ts';
import { connectionLost, type LostConnection } from './tools/remote-failure.ts';
import type { CalledTool } from './tools/remote-tool.ts';
import { createRestarts } from './session/restarts.ts';
import { readServerMessage } from './contract/server-message.ts';
import { createNotificationSteer } from './forward-to-steer-sink.ts';
import { createToolSet, nameTaken, type ToolSet } from './tools/tool-set.ts';
import { toConnectionName } from '../untrusted/safe-wire-name.ts';

const maxDiagnostics = 100;
const maxRestarts = 100;

/** Callbacks of the sessions. The connection replaces them once it exists. */
export interface SessionHub {
  report: SessionListener['report'];
  onToolsChanged: () => void;
  onNotification: SessionListener['onNotification'];
}

/** Creates a listener that forwards to the current callbacks of the hub. */
export function forwardTo(hub: SessionHub): SessionListener {
  return {
    report: (diagnostic) => hub.report(diagnostic),
    onToolsChanged: () => hub.onToolsChanged(),
    onNotification: (method, params) => hub.onNotification(method, params),
  };
}

/** A connection before its tools are listed. */
export interface StartingConnection extends Connection {
  /** Lists the tools for the first time. */
  begin(signal: AbortSignal): Promise<void>;
}

/**
 * Creates the connection of an open session. Restarts replace the session.
 *
 * @param hub callbacks of the sessions; the connection takes them over.
 */
export function createConnectionFromSession(
  first: Session,
  options: FilledConnectionOptions,
  hub: SessionHub,
  redactor: SecretRedactor,
): StartingConnection {
  const { registry, onEvent, idleTimeoutMs, requestTimeoutMs } = options;
  let session = first;
  const serverInfo = first.client.getServerVersion();
  const server =
    serverInfo && redactor.value({ name: cleanLine(serverInfo.name, 100), version: cleanLine(serverInfo.version, 40) });
  const name = toConnectionName(options.name ?? '') || toConnectionName(serverInfo?.name ?? '') || 'server';
  const provider = `dynamic/mcp/${name}`;
  const diagnostics: ConnectionDiagnostic[] = [];
  let state: ConnectionState = 'ready';
  let lost: LostConnection | undefined;

  const emit = (event: ConnectionEvent): void => {
    try {
      onEvent?.(event);
    } catch {
      // Listeners handle their own errors.
    }
  };
  const setState = (next: ConnectionState, more: Partial<ConnectionStateChange> = {}): void => {
    if (state === next) return;
    state = next;
    emit({ type: 'state-change', state, server, ...more });
  };
  const stderr = (maxBytes?: number): string => redactor.text(session.process?.stderrTail(maxBytes) ?? '');
  hub.report = (diagnostic) => {
    const safe = redactor.value(diagnostic);
    diagnostics.push(safe);
    if (diagnostics.length > maxDiagnostics) diagnostics.shift();
    emit({ type: 'diagnostic', diagnostic: safe });
  };

  const steer = options.steer && createNotificationSteer(name, options.steer);
  hub.onNotification = (method, params) => {
    // Notifications beyond the rate limit are not read.
    const isForwarded = steer?.hasRoom() ?? false;
    const message =
      isForwarded || onEvent || options.subscribe === 'all' ? readServerMessage(method, params) : undefined;
    if (message === undefined) return;
    const safe = redactor.value(message);
    emit(safe);
    if (safe.type === 'resource-list-changed' && options.subscribe === 'all' && isReady()) void subscribe();
    if (isForwarded) steer?.forward(safe);
  };

  const isClosed = (): boolean => state === 'closed';
  const isReady = (): boolean => state === 'ready';

  const onSessionClosed = (from: Session): void => {
    if (state !== 'ready' || from !== session) return;
    const exit = from.process?.exit;
    const { stalled } = from;
    const reason = stalled()
      ? stalled()!.message
      : exit
        ? exit.signal
          ? `the server was ended by ${exit.signal}`
          : `the server exited with code ${exit.code}`
        : 'the connection ended';
    lost = { reason, exitCode: exit?.code ?? null, signal: exit?.signal ?? null, stderr: stderr(2_048) };
    // In the result for the model, all text of the server is inside a fence.
    const fault = describeFault(stderr(8_192));
    const shown = fault === undefined ? reason : `${reason}: ${fault}`;
    setState(options.restart ? 'restarting' : 'lost', { reason: shown, stderr: lost.stderr });
    if (options.restart) restarts.start();
  };
  const watch = (watched: Session): void => {
    const onclose = (): void => onSessionClosed(watched);
    Object.assign(watched.client, { onclose });
  };

  const reopen = (): Promise<boolean> =>
    connectInTime(options, async (signal) => {
      // Ends the old process tree before a new one starts.
      await session.process?.close();
      const next = await createSession(options, forwardTo(hub), signal);
      if (isClosed()) {
        await end(next);
        return false;
      }
      const before = session;
      session = next;
      watch(next);
      try {
        await list(signal);
      } catch (error) {
        session = before;
        await end(next);
        throw error;
      }
      if (isClosed()) return false;
      await remoteLibrary.renew(next.client).catch(() => undefined);
      if (isClosed()) return false;
      lost = undefined;
      setState('ready');
      return true;
    }).catch((error: unknown) => {
      const { message } = describeConnectFailure(error, redactor);
      if (!isClosed()) hub.report({ kind: 'restart-failed', message: `the restart failed: ${message}` });
      return false;
    });

  const restarts = createRestarts({
    attempt: reopen,
    onExhausted: () => setState('lost', { reason: `${lost?.reason ?? 'the connection ended'}; all restarts failed` }),
    maxAttempts: maxRestarts,
    random: Math.random,
  });

  const host = {
    connection: name,
    limits: {
      maxDescriptionBytes: options.maxDescriptionBytes,
      maxSchemaBytes: options.maxSchemaBytes,
      requestTimeoutMs,
      idleTimeoutMs,
      toolTimeoutsMs: options.toolTimeoutsMs,
    },
    report: (diagnostic: ConnectionDiagnostic) => hub.report(diagnostic),
    readOnly: (remoteName: string) => options.readOnly?.(remoteName) === true,
    // During the first restart, new calls wait for it.
    available: () =>
      state === 'ready' || (state === 'restarting' && restarts.attempts <= 1)
        ? (true as const)
        : {
            reason: `the MCP server ${name} is not connected: ${lost?.reason ?? 'the connection was closed'}`,
            retryable: state === 'restarting',
          },
    call,
  };
  const trust = {
    changedTools: options.changedTools,
    approvals: typeof options.approvals === 'function' ? undefined : options.approvals,
  };
  const tools: ToolSet = createToolSet(provider, host, registry, trust);

  function call(tool: CalledTool, args: unknown, context: ToolContext): Promise<ToolResult> {
    if (state !== 'restarting') return callNow(tool, args, context);
    return Promise.race([restarts.retryNow(), aborted(context.signal)]).then(() => callNow(tool, args, context));
  }

  function callNow(tool: CalledTool, args: unknown, context: ToolContext): Promise<ToolResult> {
    if (!isReady()) return Promise.resolve(connectionLost(context.callId, name, lost));
    const used = session;
    return callRemoteTool({
      client: used.client,
      answer: used.answer,
      connection: name,
      tool,
      args,
      context,
      invalidResults: options.invalidResults,
      meta: options.meta,
      redactor,
      whyBlocked: () => tools.whyBlocked(tool.name, tool.fingerprint),
      lost: () => (isReady() && session === used ? undefined : (lost ?? closedConnection)),
      renew: (error) => renew(error, used),
      logLevel: remoteLibrary.logLevel,
    });
  }

  /** Opens a new session if an HTTP server has forgotten the old one (404). The refused request had no effect. */
  async function renew(error: unknown, used: Session): Promise<Client | undefined> {
    const isForgotten = SdkHttpError.isInstance(error) && error.data.status === 404;
    if (!isForgotten || options.url === undefined || state === 'closed') return undefined;
    if (session !== used) return session.client;
    renewing ??= (async () => {
      const isBack = await reopen();
      renewing = undefined;
      // The server has forgotten this session, so there is nothing to end.
      if (isBack) await disconnect(used);
      return isBack;
    })();
    return (await renewing) ? session.client : undefined;
  }
  let renewing: Promise<boolean> | undefined;

  const update = async (): Promise<void> => {
    const used = session;
    const { maxPages, maxTools } = options;
    const remotes = await listRemoteTools(
      used.client,
      { maxPages, maxItems: maxTools, timeoutMs: idleTimeoutMs },
      host.report,
    );
    if (isClosed() || used !== session) return;
    const { expose } = options;
    const change = tools.update(expose ? remotes.filter((remote) => expose(remote.name)) : remotes);
    for (const suspended of change.suspended) emit({ type: 'tool-suspended', change: suspended });
    const { added, removed, replaced } = change;
    if (added.length + removed.length + replaced.length > 0)
      emit({ type: 'tool-list-changed', added, removed, replaced });
  };
  const refresh = coalesce(async () => {
    if (state !== 'ready') return;
    try {
      await update();
    } catch (error) {
      if (!isReady()) return;
      host.report({
        kind: 'list-failed',
        message: `listing the tools again failed: ${cleanLine(error instanceof Error ? error.message : String(error), 300)}`,
      });
    }
  });
  const list = async (signal: AbortSignal): Promise<void> => {
    listen(session);
    if (session.client.getServerCapabilities()?.tools !== undefined) await Promise.race([update(), rejected(signal)]);
    isListed = true;
  };
  let isListed = false;
  /** The tools may have changed after they were listed and before the stream was open. */
  const refreshOnce = async (opened: Promise<void>, by: Session): Promise<void> => {
    try {
      await opened;
    } catch {
      // Reported by `onLost`. A stream that opens later leads to `missed`.
      return;
    }
    if (isListed && by === session) await refresh();
  };
  /** Opens the stream of changes without waiting for it: a server that never opens it still answers calls. */
  const listen = (by: Session): void => {
    const filter = announcedChanges(by);
    if (Object.keys(filter).length === 0) return;
    isListed = false;
    const missed = (): void => {
      if (isClosed() || by !== session) return;
      if (filter.toolsListChanged) void refresh();
      if (filter.promptsListChanged) emit({ type: 'prompt-list-changed' });
      if (filter.resourcesListChanged) emit({ type: 'resource-list-changed' });
    };
    const { opened } = keepListening({
      client: by.client,
      filter,
      timeoutMs: idleTimeoutMs,
      random: Math.random,
      onReopened: missed,
      onLost: (reason) => hub.report({ kind: 'listen-lost', message: describeLostStream('its changes', reason) }),
    });
    void refreshOnce(opened, by);
  };

  const remoteLibrary = createRemoteLibrary({
    client() {
      if (!isReady())
        throw new Error(`the MCP server ${name} is not connected: ${lost?.reason ?? 'the connection was closed'}`);
      return session.client;
    },
    limits: {
      maxPages: options.maxPages,
      maxItems: options.maxTools,
      timeoutMs: idleTimeoutMs,
      maxDescriptionBytes: options.maxDescriptionBytes,
    },
    report: (diagnostic) => hub.report(diagnostic),
    onMissedUpdates: (uri) => hub.onNotification('notifications/resources/updated', { uri }),
    redactor,
    logLevel: options.logLevel,
    defaultLogLevel: options.steer || onEvent ? 'info' : undefined,
  });

  /** Subscribes to the resources that the options name. The connection does not wait for it. */
  const subscribe = async (): Promise<void> => {
    const { subscribe: wanted, logLevel } = options;
    const { library } = remoteLibrary;
    const attempt = (what: string, done: Promise<unknown>): Promise<unknown> =>
      done.catch((error: unknown) => {
        const reason = cleanLine(error instanceof Error ? error.message : String(error), 300);
        if (!isClosed()) hub.report({ kind: 'subscribe-failed', message: `${what} failed: ${reason}` });
      });
    if (logLevel !== undefined && session.client.getServerCapabilities()?.logging !== undefined)
      await attempt('setting the log level', library.setLogLevel(logLevel));
    if (wanted === undefined) return;
    let uris = wanted === 'all' ? [] : wanted;
    if (wanted === 'all')
      await attempt(
        'listing resources to subscribe to',
        library.resources().then((resources) => (uris = resources.slice(0, maxSubscriptions).map(({ uri }) => uri))),
      );
    for (const uri of uris) await attempt(`subscribing to ${cleanLine(uri, 200)}`, library.subscribe(uri));
  };

  watch(first);
  return {
    name,
    provider,
    get state() {
      return state;
    },
    server,
    get protocol() {
      const { client } = session;
      return { era: client.getProtocolEra() ?? 'legacy', version: client.getNegotiatedProtocolVersion() ?? '' };
    },
    get pid() {
      return session.process?.pid;
    },
    get tools() {
      return tools.tools;
    },
    library: remoteLibrary.library,
    get changes() {
      return tools.changes;
    },
    approve(change) {
      const isTaken = state === 'ready' && tools.approve(change);
      if (isTaken) emit({ type: 'tool-list-changed', added: [], removed: [], replaced: [change.tool] });
      return isTaken;
    },
    diagnostics,
    stderr: () => stderr(),
    refresh,
    async begin(signal) {
      if (registry && registry.toolsByProvider(provider).length > 0) throw nameTaken(name);
      if (typeof options.approvals === 'function')
        trust.approvals = await Promise.race([options.approvals(name), rejected(signal)]);
      hub.onToolsChanged = () => void refresh();
      await list(signal);
      void subscribe();
    },
    async close() {
      restarts.stop();
      const previousState = state;
      state = 'closed';
      tools.clear();
      await end(session);
      if (previousState !== 'closed') emit({ type: 'state-change', state, server });
    },
  };
}

const maxSubscriptions = 1_000;

const closedConnection: LostConnection = {
  reason: 'the connection was closed',
  exitCode: null,
  signal: null,
  stderr: '',
};

async function disconnect({ client }: Session): Promise<void> {
  await client.close().catch(() => undefined);
}

async function end(session: Session): Promise<void> {
  const { process, endSession } = session;
  await endSession();
  await disconnect(session);
  await process?.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Returns the lists whose changes a server of the modern era announces. */
function announcedChanges({ client }: Session): SubscriptionFilter {
  if (client.getProtocolEra() !== 'modern') return {};
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  return {
    ...(tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
    ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
  };
}
