import { createConnection, McpError } from '@haft/mcp';
import { UsageError } from '../program/usage-error.ts';
import { followServerFile } from './follow-server-file.ts';
import { noteEvent } from './note-server-events.ts';
import type { GivenServers } from './read-server-file.ts';
import type { ServerOptions } from './server-options.ts';

/** Options of {@link connectServers}. */
export interface ConnectServersOptions extends ServerOptions {
  readonly given: GivenServers;
}

/**
 * Starts MCP servers in parallel and registers their tools. Disposing of the result ends them. One unusable server of a
 * file does not affect the others.
 * @throws UsageError if a typed command does not start a server.
 */
export async function connectServers(options: ConnectServersOptions): Promise<AsyncDisposable> {
  const { given } = options;
  return given.kind === 'command' ? connectTyped(given, options) : followServerFile(given, options);
}

/** A command that the user typed is approved. */
async function connectTyped(
  { command, args }: Extract<GivenServers, { kind: 'command' }>,
  { registry, cwd, signal, note }: ConnectServersOptions,
): Promise<AsyncDisposable> {
  try {
    const connection = await createConnection({
      command,
      args,
      cwd,
      registry,
      signal,
      onEvent: (event) => noteEvent(command, event, note),
    });
    return { [Symbol.asyncDispose]: () => connection.close() };
  } catch (error) {
    if (error instanceof McpError) throw new UsageError(`--mcp: ${error.message}`);
    throw error;
  }
}
