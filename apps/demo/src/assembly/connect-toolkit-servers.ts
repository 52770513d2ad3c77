import { basename } from 'node:path';
import { watchServers, type ConnectionManager, type ManagedServer, type ServerEntry } from '@haft/mcp';
import type { ConnectionSource, Toolkit } from '@haft/toolkit';
import type { ServerLog } from '@haft/workbench';
import { showableLine } from '../show/showable.ts';
import { noteImported } from './note-imported.ts';
import type { GivenServers } from './read-server-file.ts';

/** The methods of a toolkit that connect servers. */
type ConnectingToolkit = Pick<Toolkit, 'addNamedConnector' | 'connections' | 'removeConnector'>;

/** Options of {@link connectToolkitServers}. */
export interface ConnectToolkitServersOptions {
  readonly given: GivenServers;
  readonly toolkit: ConnectingToolkit;
  /** Working directory of a typed command. */
  readonly cwd: string;
  readonly log: ServerLog;
  readonly note: (message: string) => void;
}

/**
 * Connects servers to a toolkit in the background, so that the toolkit lists them while they start. Follows a file:
 * saving it connects, changes or removes servers. `close` ends following.
 */
export function connectToolkitServers({ given, toolkit, cwd, log, note }: ConnectToolkitServersOptions): {
  close(): void;
} {
  if (given.kind === 'command') {
    const { command, args } = given;
    toolkit
      .addNamedConnector('server', withLog('server', { command, args, cwd }, log))
      .catch((error: unknown) => note(`--mcp: ${error instanceof Error ? error.message : String(error)}`));
    return { close() {} };
  }
  const { path, place, configuration } = given;
  const noted = new Set<string>();
  const noteOnce = (message: string): void => {
    if (!noted.has(message)) note(message);
    noted.add(message);
  };
  // A report comes only when all servers are connected or failed.
  noteImported(configuration, noteOnce);
  // The toolkit identifies servers by name.
  const managed = (name: string): ManagedServer => ({ name }) as ManagedServer;
  const manager: Pick<ConnectionManager, 'add' | 'remove' | 'servers'> = {
    servers: () => toolkit.connections().map(({ namespace }) => managed(namespace)),
    async add(source, { name = '', onAdded } = {}) {
      const connecting = toolkit.addNamedConnector(name, withLog(name, source, log));
      onAdded?.(managed(name));
      await connecting;
      return managed(name);
    },
    remove: ({ name }) => toolkit.removeConnector(name),
  };
  return watchServers(path, {
    manager,
    prepare: place,
    onChange({ imported, problems }) {
      if (!imported) note(`${basename(path)} was not read: ${showableLine(problems[0]?.reason ?? 'unknown', 400)}`);
      else noteImported({ ...imported, problems }, noteOnce);
    },
  });
}

/** Adds to a server's entry what the page shows of it: its messages, and where the user logs in. */
function withLog(name: string, entry: ServerEntry, log: ServerLog): Exclude<ConnectionSource, string> {
  const { onMessage, login } = log.follow(name);
  return { ...entry, onMessage, ...(entry.url === undefined ? {} : { login }) };
}
