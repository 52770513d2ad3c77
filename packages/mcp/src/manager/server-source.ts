import { arrayOf, aString, checkOptions, type OptionTable } from '@haft/core/options';
import { connectionKinds } from '../client/contract/connection-kinds.ts';
import type { ConnectionOptions } from '../client/contract/connection-options.ts';
import { invalidOption, McpError } from '../mcp-error.ts';
import type { ServerEntry } from './server-entry.ts';

/** A server as a program gives it: what a configuration says of one, and what only a program can. */
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
} = connectionKinds;
const texts = arrayOf(aString, 'a list of names of tools');
const table: OptionTable<ServerSource> = { ...own, includeTools: texts, excludeTools: texts };

/**
 * Refuses what can't be a server, with what was probably meant.
 * @throws McpError `INVALID_OPTION`.
 */
export function checkSource(where: string, source: ServerSource): void {
  checkOptions(where, source, table, '{ command: "npx", args: ["-y", "a-server"] }', invalidOption);
  const { command, url, transport } = source;
  if ([command, url, transport].filter((way) => way !== undefined).length !== 1)
    throw new McpError(
      'INVALID_OPTION',
      `${where}: a server needs one of a command to start, such as "npx", a url, such as "https://example.com/mcp", and a transport`,
    );
}
