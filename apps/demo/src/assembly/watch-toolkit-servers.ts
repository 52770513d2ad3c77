import { basename } from 'node:path';
import { watchServers, type ConnectionManager, type ManagedServer, type ServerEntry } from '@haft/mcp';
import type { ConnectionSource, Toolkit } from '@haft/toolkit';
import type { ServerLog } from '@haft/workbench';
import { showableLine } from '../show/showable.ts';
import { noteImported } from './note-imported.ts';
import type { GivenServers } from './read-server-file.ts';

/** Adds to a server's entry what the page shows of it: its messages, and where the user logs in. */
export function followed(name: string, entry: ServerEntry, log: ServerLog): Exclude<ConnectionSource, string> {
  const { onMessage, login } = log.follow(name);
  return { ...entry, onMessage, ...(entry.url === undefined ? {} : { login }) };
}

/** Follows a file with MCP servers: saving it connects, changes or removes servers of a toolkit. */
export function watchToolkitServers(
  { path, configuration, place }: Extract<GivenServers, { kind: 'file' }>,
  toolkit: Toolkit,
  log: ServerLog,
  note: (message: string) => void,
): { close(): void } {
  // The toolkit identifies servers by name.
  const managed = (name: string): ManagedServer => ({ name }) as ManagedServer;
  const manager: Pick<ConnectionManager, 'add' | 'remove' | 'servers'> = {
    servers: () => toolkit.connections().map(({ namespace }) => managed(namespace)),
    async add(source, { name = '' } = {}) {
      await toolkit.addNamedConnector(name, followed(name, source, log));
      return managed(name);
    },
    remove: ({ name }) => toolkit.removeConnector(name),
  };
  return watchServers(path, {
    manager,
    restored: configuration.servers,
    prepare: place,
    onChange({ imported, problems }) {
      if (!imported) note(`${basename(path)} was not read: ${showableLine(problems[0]?.reason ?? 'unknown', 400)}`);
      else noteImported({ problems, unsupported: imported.unsupported }, note);
    },
  });
}
