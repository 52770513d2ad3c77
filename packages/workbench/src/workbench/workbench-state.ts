import { allowReadOnly, createDispatcher, ToolRegistry, type ToolSource } from '@haft/core';
import type { Approvals } from '../approvals/create-approvals.ts';
import type { JournalSlot } from '../changes/change-routes.ts';
import type { WorkbenchJournal } from '../changes/workbench-journal.ts';
import type { CallLog } from '../calls/create-call-log.ts';
import type { ChangeSignal } from '../contract/change-signal.ts';
import type { SectionName, ServerView } from '../contract/page-data.ts';
import type { Subscribe } from '../http/change-stream.ts';
import type { Chat } from '../chat/create-chat.ts';
import { followJobs } from '../jobs/follow-jobs.ts';
import type { WorkbenchJobs } from '../jobs/workbench-jobs.ts';
import type { RunStore } from '../runs/open-runs.ts';
import type { ServerLog } from '../servers/create-server-log.ts';
import { listServers } from '../servers/list-servers.ts';
import { createSourceLinks, type SourceLinks } from '../sources/source-links.ts';
import type { WorkbenchOptions, WorkbenchToolkit } from './workbench-options.ts';

/** The data that the page shows, read from the packages on each request. */
export interface PageState {
  /** The tools. Empty until the toolkit is ready. */
  readonly tools: () => ToolSource;
  readonly toolkit: () => WorkbenchToolkit | undefined;
  readonly approvals: Approvals | undefined;
  readonly calls: CallLog | undefined;
  readonly journal: () => JournalSlot;
  readonly runs: RunStore | undefined;
  readonly jobs: WorkbenchJobs | undefined;
  readonly chat: Chat | undefined;
  readonly serverLog: ServerLog | undefined;
  readonly servers: () => Promise<readonly ServerView[]>;
  readonly sources: SourceLinks;
  readonly subscribe: Subscribe;
  /** Tells open pages that a section has changed. */
  notify(section: SectionName): void;
}

const defaultEditor = 'vscode://file/{path}:{line}';

/** Interval of checks for changed tools while a page is open, in milliseconds. */
const lookMs = 200;

/** Creates the state of a workbench. It holds no data of its own. */
export function createPageState(options: WorkbenchOptions): PageState {
  const { toolkit: given, tools: source, approvals, calls, runs, jobs, chat, serverLog } = options;
  const listeners = new Set<(section: SectionName) => void>();
  const notify = (section: SectionName): void => {
    for (const listener of listeners) listener(section);
  };
  const journal = createJournalSlot(options.journal, () => notify('changes'));
  let toolkit: WorkbenchToolkit | undefined;
  if (given instanceof Promise) {
    // The program that creates the toolkit handles its failure. The page then has no tools.
    given.then(
      (ready) => (toolkit = ready),
      () => undefined,
    );
  } else toolkit = given;
  const { editor = defaultEditor, pluginDirectory } = options;
  const sources = createSourceLinks({ editor, pluginDirectory });
  const none = createDispatcher({ registry: new ToolRegistry(), permission: allowReadOnly });
  const tools = (): ToolSource => toolkit ?? source ?? none;
  return {
    tools,
    toolkit: () => toolkit,
    approvals,
    calls,
    journal,
    runs,
    jobs,
    chat,
    serverLog,
    notify,
    sources,
    servers: async () =>
      toolkit === undefined
        ? []
        : listServers(toolkit.connections(), toolkit.plugins(), namesByProvider(tools()), serverLog, sources),
    subscribe: (listener) => subscribe(listener),
  };

  function subscribe(listener: (section: SectionName) => void): () => void {
    let seen = tools().snapshot();
    let followed: WorkbenchToolkit | undefined;
    let unfollow: (() => void) | undefined;
    const look = (): void => {
      if (toolkit !== followed) {
        followed = toolkit;
        unfollow = toolkit?.onEvent(() => listener('servers'));
      }
      // A snapshot stays the same object until something changes.
      const now = tools().snapshot();
      if (now === seen) return;
      seen = now;
      listener('tools');
      listener('servers');
    };
    look();
    const timer = setInterval(look, lookMs).unref();
    const to = (signal: Pick<ChangeSignal, 'onChange'> | undefined, section: SectionName): (() => void) | undefined =>
      signal?.onChange(() => listener(section));
    listeners.add(listener);
    const ends = [
      calls?.onChange(() => {
        listener('calls');
        // A call that has ended may have changed files.
        if (options.journal !== undefined) listener('changes');
      }),
      to(approvals, 'approvals'),
      to(runs, 'runs'),
      to(chat, 'chat'),
      to(serverLog, 'servers'),
      jobs && followJobs(jobs, () => listener('jobs')),
      () => unfollow?.(),
      () => clearInterval(timer),
    ];
    return () => {
      listeners.delete(listener);
      for (const end of ends) end?.();
    };
  }
}

function createJournalSlot(given: WorkbenchOptions['journal'], onReady: () => void): () => JournalSlot {
  if (!(given instanceof Promise)) {
    const slot: JournalSlot = { state: given === undefined ? 'missing' : 'connected', journal: given };
    return () => slot;
  }
  let slot: JournalSlot = { state: 'starting', journal: undefined };
  const set = (journal: WorkbenchJournal | undefined): void => {
    slot = { state: journal === undefined ? 'missing' : 'connected', journal };
    onReady();
  };
  // The program that creates the journal handles its failure. The page then has no changes.
  given.then(set, () => set(undefined));
  return () => slot;
}

function namesByProvider(tools: ToolSource): ReadonlyMap<string, readonly string[]> {
  const snapshot = tools.snapshot();
  const names = new Map<string, string[]>();
  for (const name of snapshot.names) {
    const provider = snapshot.providerFor(name) ?? '';
    const list = names.get(provider);
    if (list === undefined) names.set(provider, [name]);
    else list.push(name);
  }
  return names;
}
