import { describeCause } from '@haft/core';
import { checkNames, type Names } from '../check-names.ts';
import { connectionNames } from '../client/contract/connection-options.ts';
import { McpError } from '../mcp-error.ts';
import type { ConnectionManagerOptions } from './manager-options.ts';
import { serverGroups } from './server-entry.ts';

const names: Names<ConnectionManagerOptions> = {
  registry: true,
  servers: true,
  store: true,
  scope: true,
  environment: true,
  modelReferences: true,
  confirmCommand: true,
  network: true,
  isReserved: true,
  steer: true,
  lifecycle: true,
  connections: true,
  onEvent: true,
};

/**
 * Refuses what a program got wrong about a manager, while it can still be told.
 *
 * @throws McpError `INVALID_OPTION` for an option that there is not, with the one that was probably meant, and for servers that
 * are no entries, such as a whole configuration.
 */
export function checkManagerOptions(options: ConnectionManagerOptions): void {
  checkNames('createConnectionManager', options, names, '{ registry, servers }');
  const { servers, connections } = options;
  if (connections !== undefined)
    checkNames('createConnectionManager, connections', connections, sharedNames, '{ requestTimeoutMs: 10000 }');
  if (servers === undefined) return;
  const refuse = (what: string): never => {
    throw new McpError(
      'INVALID_OPTION',
      `createConnectionManager: ${what}; readServers(configuration).servers gives them, as { files: { command: "npx", args: ["-y", "a-server"] } }`,
    );
  };
  if (!isRecord(servers)) refuse(`servers must hold entries by their names, not ${describeCause(servers)}`);
  for (const [name, entry] of Object.entries(servers)) {
    if (!isRecord(entry)) refuse(`the server ${name} must be an entry, not ${describeCause(entry)}`);
    const isGroup = serverGroups.includes(name) && entry.command === undefined && entry.url === undefined;
    if (isGroup) refuse(`servers holds ${name}, a whole configuration, where entries belong`);
  }
}

const { name: _name, command: _command, args: _args, env: _env, cwd: _cwd, ...withoutProcess } = connectionNames;
const { url: _url, headers: _headers, transport: _transport, registry: _registry, ...withoutPlace } = withoutProcess;
const { approvals: _approvals, expose: _expose, ...sharedNames } = withoutPlace;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
