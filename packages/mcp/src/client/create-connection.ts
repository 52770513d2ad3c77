import { createSecretRedactor } from '../untrusted/redact-secrets.ts';
import { connectInTime, describeConnectFailure } from './session/connect-in-time.ts';
import { fillConnectionOptions } from './contract/fill-connection-options.ts';
import type { ConnectionOptions } from './contract/connection-options.ts';
import type { ConnectionDiagnostic } from '../connection-diagnostic.ts';
import type { Connection } from './contract/connection.ts';
import { describeStarting } from './session/package-runner.ts';
import { forwardTo, createConnectionFromSession, type SessionHub } from './create-connection-from-session.ts';
import { createSession } from './session/create-session.ts';
import { warmUp } from './warm-up.ts';

/**
 * Connects to an MCP server and registers its tools as `connection_tool`. The tools follow the server's list. A lost
 * server is restarted; until then, its tools stay registered and return `TOOL_UNAVAILABLE`.
 *
 * @throws McpError `INVALID_OPTION`, `NAME_TAKEN` (the registry already has a connection of this name),
 * `CONNECT_FAILED`, `CONNECT_TIMEOUT`. A started server has ended by then.
 * @example
 * import { createDispatcher, defineTool, ToolRegistry } from '@haft/core';
 * import { createConnection, serve } from '@haft/mcp';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const server = serve(createDispatcher({ registry: [ping] }), { name: 'pinger', version: '1.0.0', http: {} });
 * const registry = new ToolRegistry();
 *
 * const connection = await createConnection({ url: (await server.ready).url ?? '', registry });
 * registry.names; // => ['pinger_ping']
 * await connection.close();
 * await server.close();
 */
export async function createConnection(options: ConnectionOptions): Promise<Connection> {
  const filled = fillConnectionOptions(options);
  const redactor = createSecretRedactor(filled);
  const early: ConnectionDiagnostic[] = [];
  const hub: SessionHub = {
    report: (diagnostic) => early.push(diagnostic),
    onToolsChanged: () => undefined,
    onNotification: () => undefined,
  };
  if (filled.command !== undefined) warmUp((transport) => createConnection({ name: 'sample', transport }));
  const slow = setTimeout(() => notifyStarting(filled, describeStarting(filled.command)), slowStartMs).unref();
  try {
    return await connectInTime(filled, async (signal) => {
      const session = await createSession(filled, forwardTo(hub), signal);
      const connection = createConnectionFromSession(session, filled, hub, redactor);
      for (const diagnostic of early) hub.report(diagnostic);
      try {
        await connection.begin(signal);
      } catch (error) {
        await connection.close();
        throw session.explain(error);
      }
      return connection;
    });
  } catch (error) {
    throw describeConnectFailure(error, redactor);
  } finally {
    clearTimeout(slow);
  }
}

const slowStartMs = 5_000;

function notifyStarting({ onEvent }: ConnectionOptions, message: string): void {
  try {
    onEvent?.({ type: 'starting', message });
  } catch {
    // Listeners handle their own errors.
  }
}
