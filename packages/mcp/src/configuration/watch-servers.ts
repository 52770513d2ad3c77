import { realpathSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { coalesce } from '../flow/coalesce.ts';
import { canonicalJson } from '../client/contract/tool-change.ts';
import type { ConnectionManager } from '../manager/manager-contract.ts';
import type { ManagedServer } from '../manager/managed-server.ts';
import type { ServerEntry } from '../manager/server-entry.ts';
import { toConnectionName } from '../untrusted/wire-name.ts';
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
  /** Called after the first reading and after each change. */
  readonly onChange?: (report: WatchReport) => void;
}

/** A watched configuration. */
export interface WatchedServers {
  /** Resolves when the file was first read and its servers are connected or failed. */
  readonly ready: Promise<WatchReport>;
  /** Reads the file now. */
  refresh(): Promise<void>;
  /** Stops watching; `onChange` is not called any more. The servers stay. */
  close(): void;
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
  const current = new Map<string, { readonly server: ManagedServer | undefined; readonly source: string }>();
  for (const [given, entry] of Object.entries(options.restored ?? {})) {
    const name = toConnectionName(given);
    const server = manager.servers().find((one) => one.name === name);
    if (server) current.set(name, { server, source: canonicalJson(entry) });
  }
  let resolveReady!: (report: WatchReport) => void;
  const ready = new Promise<WatchReport>((settle) => (resolveReady = settle));
  let isClosed = false;

  const apply = async (): Promise<WatchReport> => {
    const imported = await importServers(path).catch((error: unknown) => error as Error);
    if (imported instanceof Error)
      return {
        added: [],
        changed: [],
        removed: [],
        problems: [{ name: '', reason: imported.message }],
        imported: undefined,
      };
    const problems = [...imported.problems];
    const wanted = new Map<string, ServerEntry>();
    for (const [given, entry] of Object.entries(imported.servers)) {
      const name = toConnectionName(given) || given;
      if (wanted.has(name)) problems.push({ name: given, reason: `another server is already named ${name}` });
      else wanted.set(name, prepare(entry));
    }
    const removed = [...current.keys()].filter((name) => !wanted.has(name));
    const changed = [...wanted].flatMap(([name, entry]) => {
      const known = current.get(name);
      return known && known.source !== canonicalJson(entry) ? [name] : [];
    });
    const added = [...wanted.keys()].filter((name) => !current.has(name));
    await Promise.all(
      [...removed, ...changed].map(async (name) => {
        const { server } = current.get(name)!;
        current.delete(name);
        if (server) await manager.remove(server);
      }),
    );
    await Promise.all(
      [...changed, ...added].map(async (name) => {
        const entry = wanted.get(name)!;
        const source = canonicalJson(entry);
        try {
          current.set(name, { server: await manager.add(entry, { name }), source });
        } catch (error) {
          current.set(name, { server: undefined, source });
          problems.push({ name, reason: error instanceof Error ? error.message : String(error) });
        }
      }),
    );
    return { added: added.toSorted(), changed: changed.toSorted(), removed: removed.toSorted(), problems, imported };
  };
  const refresh = coalesce(async () => {
    if (isClosed) return;
    const report = await apply();
    resolveReady(report);
    if (isClosed) return;
    try {
      onChange?.(report);
    } catch {
      // Listeners handle their own errors.
    }
  });

  let timer: NodeJS.Timeout | undefined;
  const watchers = new Map<string, FSWatcher>();
  /** Watches the folders of the file and, for a link, of the file that it leads to: editors replace files. */
  const follow = (): void => {
    if (isClosed) return;
    const files = [path, realPathOf(path)];
    const folders = new Set(files.map(dirname));
    for (const [folder, watcher] of watchers)
      if (!folders.has(folder)) {
        watcher.close();
        watchers.delete(folder);
      }
    for (const folder of folders) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, (_event, name) => {
          if (!isClosed && (name === null || files.some((one) => basename(one) === name))) schedule();
        });
        watcher.on('error', () => undefined);
        watchers.set(folder, watcher);
      } catch {
        // If the folder is missing, the first report says so.
      }
    }
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      follow();
      void refresh();
    }, settleMs);
  };
  follow();
  void refresh();
  return {
    ready,
    refresh,
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
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
