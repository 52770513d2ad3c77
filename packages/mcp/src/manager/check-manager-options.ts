import {
  booleanKind,
  functionKind,
  arrayOf,
  stringKind,
  toolRegistryKind,
  checkOptions,
  custom,
  described,
  isRecord,
  objectOf,
  objectWith,
  required,
  showValue,
  type OptionTable,
} from '@haft/core/options';
import type { SteerSink, ToolRegistry } from '@haft/core';
import type { Store } from '@haft/store';
import { connectionKinds } from '../client/contract/connection-kinds.ts';
import { invalidOption } from '../mcp-error.ts';
import type { ConnectionManagerOptions } from './manager-options.ts';
import { serverGroups } from './server-entry.ts';

const { name: _name, command: _command, args: _args, env: _env, cwd: _cwd, ...withoutProcess } = connectionKinds;
const { url: _url, headers: _headers, transport: _transport, registry: _registry, ...withoutPlace } = withoutProcess;
const { approvals: _approvals, expose: _expose, readOnly: _readOnly, ...shared } = withoutPlace;

const table: OptionTable<ConnectionManagerOptions> = {
  registry: required(described<ToolRegistry>('the ToolRegistry that receives the tools', toolRegistryKind)),
  servers: custom('entries by their names, such as { files: { command: "npx" } }', isRecord),
  store: objectWith<Store>('a store that createStore() of @haft/store resolves to', 'collection'),
  scope: stringKind,
  environment: custom(
    'an object of variables, or a function',
    (value) => isRecord(value) || typeof value === 'function',
  ),
  modelReferences: arrayOf(stringKind, 'a list of names of variables'),
  confirmCommand: functionKind,
  confirmReferences: booleanKind,
  network: custom('an object such as { allow: ["intranet.example"] }', isRecord),
  isReserved: functionKind,
  steer: objectWith<SteerSink>('a queue such as createSteerQueue() returns', 'steer'),
  lifecycle: booleanKind,
  connections: objectOf<NonNullable<ConnectionManagerOptions['connections']>>(shared, '{ requestTimeoutMs: 10000 }'),
  onEvent: functionKind,
};

/**
 * Checks the options of a manager.
 *
 * @throws McpError `INVALID_OPTION` for an unknown option, with the nearest known name, and for servers that are not
 * entries, such as a whole configuration.
 */
export function checkManagerOptions(options: ConnectionManagerOptions): void {
  checkOptions('createConnectionManager', options, table, '{ registry, servers }', invalidOption);
  const refuse = (what: string): never => {
    throw invalidOption(
      `createConnectionManager: ${what}; readServers(configuration).servers returns them, as { files: { command: "npx", args: ["-y", "a-server"] } }`,
    );
  };
  for (const [name, entry] of Object.entries(options.servers ?? {})) {
    if (!isRecord(entry)) refuse(`servers.${name} is not valid (expected an entry, got ${showValue(entry)})`);
    const isGroup = serverGroups.includes(name) && entry.command === undefined && entry.url === undefined;
    if (isGroup)
      refuse(`servers.${name} is a whole configuration (expected entries, as in readServers(configuration).servers)`);
  }
}
