import type { ToolContext, ToolResult } from '@haft/core';
import type { CompiledSchema } from '@haft/schema';
import { anyResult } from './any-result.ts';
import { cleanLine } from './clean-text.ts';
import { coalesce } from './coalesce.ts';
import { fillConnectOptions, type ConnectOptions, type FilledConnectOptions } from './connect-options.ts';
import type { Connection } from './connection.ts';
import type { ConnectionDiagnostic, ConnectionEvent } from './connection-report.ts';
import { createSecretFilter } from './hide-secrets.ts';
import { listRemoteTools } from './list-remote-tools.ts';
import { McpError } from './mcp-error.ts';
import { openSession, type Session } from './open-session.ts';
import { connectionLost, toFailure, type LostConnection } from './remote-failure.ts';
import type { CalledTool } from './remote-tool.ts';
import { toToolResult } from './remote-result.ts';
import { createToolSet, nameTaken, type ToolSet } from './tool-set.ts';
import { toConnectionName } from './wire-name.ts';

const maxDiagnostics = 100;
const maxTools = 10_000;

/**
 * Starts an MCP server, or takes a transport to one, and registers its tools as `connection_tool`. The tools stay in step
 * with the server's list; when the server is gone, they stay and say that they can't be used.
 *
 * @throws McpError `INVALID_OPTION`, `NAME_TAKEN` (the registry has a connection of this name), `CONNECT_FAILED`,
 * `CONNECT_TIMEOUT`. Whatever was started is ended by then.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const filled = fillConnectOptions(options);
  const hideSecrets = createSecretFilter(filled.env);
  const starting = new AbortController();
  const timeout = new McpError('CONNECT_TIMEOUT', `the server was not ready in ${filled.startTimeoutMs} ms`);
  const timer = setTimeout(() => starting.abort(timeout), filled.startTimeoutMs);
  const onAbort = (): void => starting.abort(new McpError('CONNECT_FAILED', 'connecting was given up'));
  filled.signal?.addEventListener('abort', onAbort, { once: true });
  if (filled.signal?.aborted) onAbort();
  const early: ConnectionDiagnostic[] = [];
  const hub: Hub = { report: (diagnostic) => early.push(diagnostic), onToolsChanged: () => undefined };
  try {
    const session = await openSession(
      filled,
      { report: (diagnostic) => hub.report(diagnostic), onToolsChanged: () => hub.onToolsChanged() },
      starting.signal,
    );
    const connection = createConnection(session, filled, hub, hideSecrets);
    for (const diagnostic of early) hub.report(diagnostic);
    try {
      await connection.begin(starting.signal);
    } catch (error) {
      await connection.close();
      throw session.explain(error);
    }
    return connection;
  } catch (error) {
    throw describeFailure(error, hideSecrets);
  } finally {
    clearTimeout(timer);
    filled.signal?.removeEventListener('abort', onAbort);
  }
}

/** Where what is heard goes; the connection takes it over as soon as it exists. */
interface Hub {
  report(diagnostic: ConnectionDiagnostic): void;
  onToolsChanged(): void;
}

interface StartingConnection extends Connection {
  /** Lists the tools for the first time. */
  begin(signal: AbortSignal): Promise<void>;
}

function createConnection(
  session: Session,
  options: FilledConnectOptions,
  hub: Hub,
  hideSecrets: (text: string) => string,
): StartingConnection {
  const { client, process: server } = session;
  const { registry, onEvent, requestTimeoutMs, maxTotalMs } = options;
  const said = client.getServerVersion();
  const name = toConnectionName(options.name ?? '') || toConnectionName(said?.name ?? '') || 'server';
  const provider = `dynamic/mcp/${name}`;
  const diagnostics: ConnectionDiagnostic[] = [];
  let state: Connection['state'] = 'ready';
  let lost: LostConnection | undefined;

  const emit = (event: ConnectionEvent): void => {
    try {
      onEvent?.(event);
    } catch {
      // A listener's failure is its own.
    }
  };
  const stderr = (maxBytes?: number): string => hideSecrets(server?.stderrTail(maxBytes) ?? '');
  hub.report = (diagnostic) => {
    const safe = { ...diagnostic, message: hideSecrets(diagnostic.message) };
    diagnostics.push(safe);
    if (diagnostics.length > maxDiagnostics) diagnostics.shift();
    emit({ type: 'diagnostic', diagnostic: safe });
  };

  const onclose = (): void => {
    if (state !== 'ready') return;
    state = 'lost';
    const exit = server?.exit;
    const reason = exit
      ? exit.signal
        ? `it was ended by ${exit.signal}`
        : `it ended with exit code ${exit.code}`
      : 'the connection ended';
    lost = { reason, exitCode: exit?.code ?? null, signal: exit?.signal ?? null, stderr: stderr(2_048) };
    emit({ type: 'lost', reason, stderr: lost.stderr });
  };
  Object.assign(client, { onclose });

  const host = {
    connection: name,
    limits: { maxDescriptionBytes: options.maxDescriptionBytes, maxSchemaBytes: options.maxSchemaBytes, maxTotalMs },
    report: (diagnostic: ConnectionDiagnostic) => hub.report(diagnostic),
    available: () =>
      state === 'ready'
        ? (true as const)
        : { reason: `the MCP server ${name} is gone: ${lost?.reason ?? 'the connection was closed'}` },
    call,
  };
  const tools: ToolSet = createToolSet(provider, host, registry, options.changedTools);

  async function call(
    { remoteName, name: tool, output }: CalledTool,
    args: unknown,
    context: ToolContext,
  ): Promise<ToolResult> {
    const { callId, signal } = context;
    const remoteTool = cleanLine(remoteName, 80);
    if (state !== 'ready') return connectionLost(callId, name, lost);
    try {
      const result = await client.request(
        { method: 'tools/call', params: { name: remoteName, arguments: args as Record<string, unknown> } },
        anyResult,
        {
          signal,
          timeout: requestTimeoutMs,
          maxTotalTimeout: maxTotalMs,
          resetTimeoutOnProgress: true,
          onprogress: ({ progress, total, message }) =>
            context.progress({
              done: progress,
              ...(total === undefined ? {} : { total }),
              ...(message === undefined ? {} : { message: cleanLine(message, 500) }),
            }),
        },
      );
      return await toToolResult(result, {
        callId,
        connection: name,
        tool,
        remoteTool,
        readResource,
        checkStructured: (value) => checkStructured(output, value),
      });
    } catch (error) {
      return toFailure(error, {
        callId,
        connection: name,
        tool,
        remoteTool,
        timeoutMs: requestTimeoutMs,
        aborted: signal.aborted,
        gone: state !== 'ready',
        lost,
      });
    }
  }

  async function readResource(uri: string, signal?: AbortSignal): Promise<Uint8Array | string> {
    const { contents } = await client.readResource(
      { uri },
      { timeout: requestTimeoutMs, ...(signal ? { signal } : {}) },
    );
    const [first] = contents;
    if (!first) throw new Error(`the MCP server ${name} has nothing at this address`);
    return 'text' in first ? first.text : new Uint8Array(Buffer.from(first.blob, 'base64'));
  }

  const listAndUpdate = async (): Promise<void> => {
    const remotes = await listRemoteTools(
      client,
      { maxPages: options.maxPages, maxTools, timeoutMs: requestTimeoutMs },
      host.report,
    );
    if (state !== 'ready') return;
    const change = tools.update(remotes);
    for (const suspended of change.suspended) emit({ type: 'tool-suspended', change: suspended });
    if (change.added.length + change.removed.length + change.replaced.length > 0)
      emit({ type: 'tools-changed', added: change.added, removed: change.removed, replaced: change.replaced });
  };
  const refresh = coalesce(async () => {
    if (state !== 'ready') return;
    try {
      await listAndUpdate();
    } catch (error) {
      if (state !== 'ready') return;
      host.report({
        kind: 'list-failed',
        message: `its tools could not be listed again: ${cleanLine(error instanceof Error ? error.message : String(error), 300)}`,
      });
    }
  });

  return {
    name,
    provider,
    get state() {
      return state;
    },
    server: said && { name: cleanLine(said.name, 100), version: cleanLine(said.version, 40) },
    protocol: { era: client.getProtocolEra() ?? 'legacy', version: client.getNegotiatedProtocolVersion() ?? '' },
    get pid() {
      return server?.pid;
    },
    get tools() {
      return tools.tools;
    },
    get changes() {
      return tools.changes;
    },
    approve(change) {
      const isTaken = state === 'ready' && tools.approve(change);
      if (isTaken) emit({ type: 'tools-changed', added: [], removed: [], replaced: [change.tool] });
      return isTaken;
    },
    diagnostics,
    stderr: () => stderr(),
    refresh,
    async begin(signal) {
      if (registry && registry.toolsByProvider(provider).length > 0) throw nameTaken(name);
      const abort = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      );
      const listing = async (): Promise<void> => {
        if (client.getServerCapabilities()?.tools === undefined) return;
        await listAndUpdate();
        await listenForChanges(session);
      };
      hub.onToolsChanged = () => void refresh();
      await Promise.race([listing(), abort]);
    },
    async close() {
      const was = state;
      state = 'closed';
      tools.clear();
      await client.close().catch(() => undefined);
      await server?.close();
      if (was !== 'closed') emit({ type: 'closed' });
    },
  };
}

/** The newer generation tells of changes only to those who ask; the older one tells everybody. */
async function listenForChanges({ client }: Session): Promise<void> {
  if (client.getProtocolEra() !== 'modern' || client.getServerCapabilities()?.tools?.listChanged !== true) return;
  await client.listen({ toolsListChanged: true });
}

async function checkStructured(output: CompiledSchema | undefined, value: unknown): Promise<string | undefined> {
  if (!output) return undefined;
  await output.ready();
  const checked = await output.validate(value);
  return checked.ok ? undefined : "the structured part of this answer does not fit the tool's own output schema";
}

function describeFailure(error: unknown, hideSecrets: (text: string) => string): McpError {
  const known =
    error instanceof McpError
      ? error
      : new McpError(
          'CONNECT_FAILED',
          `the server could not be used: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
  return new McpError(known.code, hideSecrets(known.message), {
    stderr: hideSecrets(known.stderr),
    cause: known.cause,
  });
}
