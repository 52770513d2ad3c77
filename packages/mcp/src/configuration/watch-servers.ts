import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { coalesce } from '../flow/coalesce-runs.ts';
import { canonicalJson } from '../client/contract/tool-change.ts';
import type { ConnectionManager } from '../manager/manager-contract.ts';
import type { ManagedServer } from '../manager/managed-server.ts';
import type { ServerEntry } from '../manager/server-entry.ts';
import { toConnectionName } from '../untrusted/safe-wire-name.ts';
import { createFolderWatch } from './folder-watch.ts';
import { importServers, type ImportedServers } from './import-servers.ts';

/** The result of a change of the file. */
export interface WatchReport {
  /** Names of the servers that were added, changed and removed. A changed server was closed and connected again. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Servers that could not be added, with the reason. */
  readonly problems: readonly { readonly name: string; readonly reason: string }[];
  /** The contents of the file; undefined if it can't be read, in which case nothing changed. */
  readonly imported: ImportedServers | undefined;
}

/** Options of {@link watchServers}. */
export interface WatchServersOptions {
  /** Connects and removes the servers. New commands need the manager's approval, as always. */
  readonly manager: Pick<ConnectionManager, 'add' | 'remove' | 'servers'>;
  /**
   * Servers of the file that the manager has connected already, because they are in its option `servers`. Default:
   * none.
   */
  readonly restored?: Readonly<Record<string, ServerEntry>>;
  /** Adapts each entry that was read, for example its `cwd`. Default: no change. */
  readonly prepare?: (entry: ServerEntry) => ServerEntry;
  /**
   * Called for the first reading and for each change, when the added and changed servers are connected or failed. The
   * report of a server that waits for approval may come after the reports of later changes.
   */
  readonly onChange?: (report: WatchReport) => void;
}

/** A watched configuration. */
export interface WatchedServers {
  /** Resolves when the file was first read and its servers are connected or failed. */
  readonly ready: Promise<WatchReport>;
  /** Reads the file now. Resolves when its servers are connected or failed. */
  refresh(): Promise<void>;
  /** Stops watching; `onChange` is not called any more. The servers stay. */
  close(): void;
}

/** A server of the file. */
interface FollowedServer {
  /** The entry as canonical JSON. */
  readonly source: string;
  /** The server, as soon as the manager lists it; undefined if the manager refuses it. */
  readonly server: Promise<ManagedServer | undefined>;
}

/** Editors write a file in several steps. */
const settleMs = 100;

/**
 * Connects the servers of a configuration file of any format that `importServers` reads, and follows the file: saving it
 * connects new servers, reconnects changed ones and removes servers that are no longer in it. An invalid file changes
 * nothing.
 */
export function watchServers(file: string, options: WatchServersOptions): WatchedServers {
  const path = resolve(file);
  const { manager, onChange, prepare = (entry) => entry } = options;
  const current = new Map<string, FollowedServer>();
  for (const [given, entry] of Object.entries(options.restored ?? {})) {
    const name = toConnectionName(given);
    const server = manager.servers().find((one) => one.name === name);
    if (server) current.set(name, { server: Promise.resolve(server), source: canonicalJson(entry) });
  }
  let resolveReady!: (report: Promise<WatchReport>) => void;
  const ready = new Promise<WatchReport>((settle) => (resolveReady = settle));
  let isClosed = false;

  /** Connects a server. Returns the reason if the manager refuses it. */
  const connect = async (name: string, entry: ServerEntry): Promise<string | undefined> => {
    let settle!: (server: ManagedServer | undefined) => void;
    const server = new Promise<ManagedServer | undefined>((resolveServer) => (settle = resolveServer));
    current.set(name, { server, source: canonicalJson(entry) });
    try {
      settle(await manager.add(entry, { name, onAdded: settle }));
      return undefined;
    } catch (error) {
      settle(undefined);
      return error instanceof Error ? error.message : String(error);
    }
  };

  /** Applies the file. The report follows later, because a server may wait for approval. */
  const apply = async (): Promise<{ readonly report: Promise<WatchReport> }> => {
    const imported = await importServers(path).catch((error: unknown) => error as Error);
    if (imported instanceof Error) {
      const problems = [{ name: '', reason: imported.message }];
      return { report: Promise.resolve({ added: [], changed: [], removed: [], problems, imported: undefined }) };
    }
    const problems = [...imported.problems];
    const wanted = new Map<string, ServerEntry>();
    for (const [given, entry] of Object.entries(imported.servers)) {
      const name = toConnectionName(given) || given;
      if (wanted.has(name)) problems.push({ name: given, reason: `another server is already named ${name}` });
      else wanted.set(name, prepare(entry));
    }
    const removed = [...current.keys()].filter((name) => !wanted.has(name)).toSorted();
    const changed = [...wanted.keys()]
      .filter((name) => current.has(name) && current.get(name)?.source !== canonicalJson(wanted.get(name)))
      .toSorted();
    const added = [...wanted.keys()].filter((name) => !current.has(name)).toSorted();
    await Promise.all(
      [...removed, ...changed].map(async (name) => {
        const server = await current.get(name)?.server;
        current.delete(name);
        if (server) await manager.remove(server);
      }),
    );
    const connecting = [...changed, ...added].map(async (name) => {
      const reason = await connect(name, wanted.get(name)!);
      if (reason !== undefined) problems.push({ name, reason });
    });
    return { report: Promise.all(connecting).then(() => ({ added, changed, removed, problems, imported })) };
  };
  const deliver = (report: WatchReport): void => {
    if (isClosed) return;
    try {
      onChange?.(report);
    } catch {
      // Listeners handle their own errors.
    }
  };
  let delivered: Promise<unknown> = Promise.resolve();
  const read = coalesce(async () => {
    if (isClosed) return;
    const { report } = await apply();
    // Only the first call has an effect.
    resolveReady(report);
    delivered = Promise.all([delivered, report.then(deliver)]);
  });
  const refresh = async (): Promise<void> => {
    await read();
    await delivered;
  };

  let timer: NodeJS.Timeout | undefined;
  const folders = createFolderWatch(() => schedule());
  /** Follows the file and, for a link, the file that it leads to: editors replace files. */
  const follow = (): void => {
    if (!isClosed) folders.follow([path, realPathOf(path)]);
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      follow();
      void read();
    }, settleMs);
  };
  follow();
  void read();
  return {
    ready,
    refresh,
    close() {
      isClosed = true;
      clearTimeout(timer);
      folders.close();
    },
  };
}

/** Returns the path itself if the file is missing. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
