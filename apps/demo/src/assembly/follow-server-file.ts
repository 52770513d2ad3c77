import { realpathSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { createConnectionManager, watchServers, type ToolChange, type WatchReport } from '@haft/mcp';
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
  { path, configuration, place }: Extract<GivenServers, { kind: 'file' }>,
  { registry, cwd, signal, consent, note }: ServerOptions,
): Promise<AsyncDisposable> {
  const { servers } = configuration;
  const ended = createCleanup();
  let isFollowing = false;
  const isProtected = !isInside(path, cwd);
  const noteContents = (contents: Pick<typeof configuration, 'problems' | 'unsupported'>): void =>
    noteImported(contents, (message) => note(`haft: ${message}`));
  try {
    const store = await createStore({ url: `file:${join(stateFolder(), 'haft.db')}` });
    ended.defer(() => store.close());
    const manager = createConnectionManager({
      registry,
      servers,
      store,
      // Calls may write files of the folder, so that a file there can't approve commands while calls run.
      confirmCommand: (question) => consent.toCommand(question, signal, { isWanted: !isFollowing || isProtected }),
      onEvent: (event) => noteManaged(event, note, isFollowing),
    });
    ended.defer(() => manager.stop());
    const stop = (): void => void manager.stop();
    signal.addEventListener('abort', stop, { once: true });
    noteContents(configuration);
    await manager.restore();
    const answered = new WeakSet<ToolChange>();
    const approveChanges = async (): Promise<void> => {
      for (const { name, changes } of manager.connections())
        for (const change of changes.filter((one) => !answered.has(one))) {
          answered.add(change);
          if (await consent.toChange(name, change, signal)) manager.approve(name, change);
          else note(`haft: ${change.tool} is not used: its server has changed it\n${showable(change.diff)}`);
        }
    };
    await approveChanges();
    isFollowing = true;
    const noteReport = (report: WatchReport): void => {
      const { added, changed, removed, imported, problems } = report;
      if (!imported)
        return note(`haft: ${basename(path)} was not read: ${showableLine(problems[0]?.reason ?? '', 400)}`);
      const parts = Object.entries({ added, changed, removed }).filter(([, names]) => names.length > 0);
      if (parts.length === 0) return undefined;
      const what = parts.map(([kind, names]) => `${kind} ${showableLine(names.join(', '), 400)}`).join('; ');
      note(`haft: MCP servers of ${basename(path)}: ${what}`);
      noteContents({ problems, unsupported: imported.unsupported });
      return void approveChanges();
    };
    const watched = watchServers(path, { manager, restored: servers, prepare: place, onChange: noteReport });
    ended.defer(async () => watched.close());
    await watched.ready;
  } catch (error) {
    await ended.run();
    throw error;
  }
  return { [Symbol.asyncDispose]: () => ended.run() };
}

/** Whether a file is in a folder, under its given name or its real one. */
function isInside(path: string, folder: string): boolean {
  const real = realpathSync(folder);
  return [relative(folder, path), relative(real, realpathSync(path))].some((way) => !way.startsWith('..'));
}
