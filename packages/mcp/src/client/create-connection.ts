import { createSecretRedactor } from '../untrusted/redact-secrets.ts';
import { connectInTime, describeConnectFailure } from './session/connect-in-time.ts';
import { fillConnectionOptions, type ConnectionOptions } from './contract/connection-options.ts';
import type { ConnectionDiagnostic } from '../connection-diagnostic.ts';
import type { Connection } from './contract/connection.ts';
import { forwardTo, openConnection, type SessionHub } from './open-connection.ts';
import { openSession } from './session/open-session.ts';

/**
 * Starts an MCP server, or reaches one at an address or over a transport, and registers its tools as `connection_tool`. The
 * tools stay in step with the server's list. A server that is gone is brought back; until then its tools stay and say that
 * they can't be used.
 *
 * @throws McpError `INVALID_OPTION`, `NAME_TAKEN` (the registry has a connection of this name), `CONNECT_FAILED`,
 * `CONNECT_TIMEOUT`. Whatever was started is ended by then.
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
  try {
    return await connectInTime(filled, async (signal) => {
      const session = await openSession(filled, forwardTo(hub), signal);
      const connection = openConnection(session, filled, hub, redactor);
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
  }
}
