import { arrayOf, stringKind, checkOptions, type OptionTable } from '@haft/core/options';
import { connectionKinds } from '../client/contract/connection-kinds.ts';
import type { ConnectionOptions } from '../client/contract/connection-options.ts';
import { invalidOption, McpError } from '../mcp-error.ts';
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
} = connectionKinds;
const texts = arrayOf(stringKind, 'a list of names of tools');
const table: OptionTable<ServerSource> = { ...own, includeTools: texts, excludeTools: texts };

/**
 * Checks the source of a server.
 *
 * @throws McpError `INVALID_OPTION` with the nearest known option name.
 */
export function checkSource(where: string, source: ServerSource): void {
  checkOptions(where, source, table, '{ command: "npx", args: ["-y", "a-server"] }', invalidOption);
  const { command, url, transport } = source;
  if ([command, url, transport].filter((way) => way !== undefined).length !== 1)
    throw new McpError(
      'INVALID_OPTION',
      `${where}: a server needs exactly one of command, url and transport, such as { url: "https://example.com/mcp" }`,
    );
}
