import { basename, join } from 'node:path';
import {
  createConnectionManager,
  watchServers,
  type ConnectionManager,
  type ToolChange,
  type WatchReport,
} from '@haft/mcp';
import { describeCause } from '@haft/core/results';
import { createStore } from '@haft/store';
import { showable, showableLine } from '../show/showable.ts';
import { createCleanup } from './cleanup.ts';
import { noteImported } from './note-imported.ts';
import { noteManaged } from './note-server-events.ts';
import type { GivenServers } from './read-server-file.ts';
import type { ServerOptions } from './server-options.ts';
import { stateFolder } from './state-folder.ts';

/**
 * Connects the MCP servers of a file, and follows it: saving it connects, changes or removes servers. Disposing of the
 * result ends them. One unusable server does not affect the others.
 */
export async function followServerFile(
  { path, isInFolder, configuration, place }: Extract<GivenServers, { kind: 'file' }>,
  options: ServerOptions,
): Promise<AsyncDisposable> {
  const { registry, signal, consent, note } = options;
  const { servers } = configuration;
  const ended = createCleanup();
  let onSlow = (): void => {};
  const slow = new Promise<void>((resolve) => (onSlow = resolve));
  try {
    const store = await createStore({ url: `file:${join(stateFolder(), 'haft.db')}` });
    ended.defer(() => store.close());
    let isFollowing = false;
    let isOver = false;
    const manager = createConnectionManager({
      registry,
      servers,
      store,
      // Calls may write files of the folder, so that a file there can't approve commands while calls run.
      confirmCommand: (question, removed) =>
        consent.toCommand(question, AbortSignal.any([signal, removed]), { isWanted: !isFollowing || !isInFolder }),
      confirmReferences: isInFolder,
      onEvent(event) {
        noteManaged(event, note, isFollowing);
        if (event.type === 'event' && event.event.type === 'starting') onSlow();
      },
    });
    ended.defer(() => manager.stop());
    ended.defer(async () => void (isOver = true));
    const stop = (): void => void manager.stop();
    signal.addEventListener('abort', stop, { once: true });
    noteImported(configuration, (message) => note(`haft: ${message}`));
    const names = Object.keys(servers).join(', ');
    if (options.announcesServers && names !== '') note(`haft: starting MCP servers: ${showableLine(names, 400)}`);
    const follow = async (): Promise<void> => {
      await manager.restore();
      const approveChanges = createChangeApproval(manager, options);
      await approveChanges();
      if (isOver) return;
      isFollowing = true;
      const onChange = (report: WatchReport): void => {
        if (noteReport(basename(path), report, note)) void approveChanges();
      };
      const watched = watchServers(path, { manager, restored: servers, prepare: place, onChange });
      ended.defer(async () => watched.close());
      await watched.ready;
    };
    const following = follow();
    if (options.waitsForSlowServers) await following;
    else {
      following.catch((error: unknown) => note(`haft: ${showableLine(describeCause(error), 400)}`));
      await Promise.race([following, slow]);
    }
  } catch (error) {
    await ended.run();
    throw error;
  }
  return { [Symbol.asyncDispose]: () => ended.run() };
}

/** Creates a function that asks the user about each tool that a server has changed, once. */
function createChangeApproval(
  manager: ConnectionManager,
  { consent, signal, note }: ServerOptions,
): () => Promise<void> {
  const answered = new WeakSet<ToolChange>();
  return async () => {
    for (const { name, changes } of manager.connections())
      for (const change of changes.filter((one) => !answered.has(one))) {
        answered.add(change);
        if (await consent.toChange(name, change, signal)) manager.approve(name, change);
        else note(`haft: ${change.tool} is not used: its server has changed it\n${showable(change.diff)}`);
      }
  };
}

/** Notes a change of the file. Returns whether servers were added, changed or removed. */
function noteReport(file: string, report: WatchReport, note: (line: string) => void): boolean {
  const { added, changed, removed, imported, problems } = report;
  if (!imported) {
    note(`haft: ${file} was not read: ${showableLine(problems[0]?.reason ?? '', 400)}`);
    return false;
  }
  const parts = Object.entries({ added, changed, removed }).filter(([, names]) => names.length > 0);
  if (parts.length === 0) return false;
  const what = parts.map(([kind, names]) => `${kind} ${showableLine(names.join(', '), 400)}`).join('; ');
  note(`haft: MCP servers of ${file}: ${what}`);
  noteImported({ ...imported, problems }, (message) => note(`haft: ${message}`));
  return true;
}
