import type { ToolRegistry } from '@haft/core';
import { createConnection, McpError, type Connection, type ConnectionStateChange } from '@haft/mcp';
import { UsageError } from '../program/usage-error.ts';
import { createCleanup } from './cleanup.ts';
import type { ServerSpecification } from './server-specifications.ts';

/** What {@link connectServers} takes. */
export interface ConnectServersOptions {
  readonly servers: readonly ServerSpecification[];
  readonly registry: ToolRegistry;
  readonly signal: AbortSignal;
  /** Is told one line about a server that is lost. */
  readonly note: (line: string) => void;
}

/**
 * Starts MCP servers, at the same time, and registers their tools. Disposing of the answer ends them.
 * @throws UsageError when one of them can not be used; the others have been ended by then.
 */
export async function connectServers(options: ConnectServersOptions): Promise<AsyncDisposable> {
  const { servers, registry, signal, note } = options;
  const started = createCleanup();
  const starting = servers.map(async (server): Promise<Connection> => {
    const { name, command, args, env, cwd } = server;
    const noteState = ({ state, reason = '' }: ConnectionStateChange): void => {
      if (state === 'restarting')
        note(`haft: the MCP server ${name ?? command} is gone (${reason}) and is started again`);
      if (state === 'ready') note(`haft: the MCP server ${name ?? command} is back`);
      if (state === 'lost') note(`haft: the MCP server ${name ?? command} is gone: ${reason}`);
    };
    const connection = await createConnection({
      ...(name === undefined ? {} : { name }),
      ...(env === undefined ? {} : { env }),
      command,
      args,
      cwd,
      registry,
      signal,
      onEvent: (event) => {
        if (event.type === 'state-change') noteState(event);
        if (event.type === 'tool-suspended') {
          const { tool, fields } = event.change;
          note(
            `haft: the MCP server ${name ?? command} has changed ${tool} (${fields.join(', ')}); it is not used any more in this run`,
          );
        }
      },
    });
    started.defer(() => connection.close());
    return connection;
  });
  const [failed] = (await Promise.allSettled(starting)).filter((each) => each.status === 'rejected');
  if (failed) {
    await started.run();
    const reason: unknown = failed.reason;
    if (reason instanceof McpError) throw new UsageError(`--mcp: ${reason.message}`);
    throw reason;
  }
  return { [Symbol.asyncDispose]: () => started.run() };
}
