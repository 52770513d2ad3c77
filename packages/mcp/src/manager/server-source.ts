import { checkNames, type Names } from '../check-names.ts';
import { connectionNames, type ConnectionOptions } from '../client/contract/connection-options.ts';
import { McpError } from '../mcp-error.ts';
import type { ServerEntry } from './server-entry.ts';

/** A server added by a program: a configuration entry plus options that only code can provide. */
export interface ServerSource
  extends
    ServerEntry,
    Omit<ConnectionOptions, keyof ServerEntry | 'name' | 'registry' | 'approvals' | 'signal' | 'onEvent'> {}

const {
  name: _name,
  registry: _registry,
  approvals: _approvals,
  signal: _signal,
  onEvent: _onEvent,
  ...own
} = connectionNames;
const names: Names<ServerSource> = { ...own, includeTools: true, excludeTools: true };

/**
 * Checks the source of a server.
 *
 * @throws McpError `INVALID_OPTION` with the nearest known option name.
 */
export function checkSource(where: string, source: ServerSource): void {
  checkNames(where, source, names, '{ command: "npx", args: ["-y", "a-server"] }');
  const { command, url, transport } = source;
  if ([command, url, transport].filter((way) => way !== undefined).length !== 1)
    throw new McpError(
      'INVALID_OPTION',
      `${where}: a server needs one of a command to start, such as "npx", a url, such as "https://example.com/mcp", and a transport`,
    );
}
