import type { ToolSource } from '@haft/core';
import {
  arrayOf,
  custom,
  hasMethods,
  nonEmptyStringKind,
  objectWith,
  toolSourceKind,
  type OptionTable,
} from '@haft/core/options';
import type { Approvals } from '../approvals/create-approvals.ts';
import type { CallLog } from '../calls/create-call-log.ts';
import type { WorkbenchJournal } from '../changes/workbench-journal.ts';
import type { Chat } from '../chat/create-chat.ts';
import type { WorkbenchJobs } from '../jobs/workbench-jobs.ts';
import type { RunStore } from '../runs/open-runs.ts';
import type { ServerLog } from '../servers/create-server-log.ts';
import type { ConnectionState, PluginState } from '../servers/list-servers.ts';

/** The members of a toolkit that the workbench uses. `Toolkit` of `@haft/toolkit` has all of them. */
export interface WorkbenchToolkit extends ToolSource {
  connections(): readonly ConnectionState[];
  plugins(): readonly PluginState[];
  /** Approves the command of a connection and starts it. */
  approveCommand(namespace: string): Promise<unknown>;
  /** Adds a listener that is called after every change. Returns a function that removes it. */
  onEvent(listener: () => void): () => void;
}

/** Options of `createWorkbench`. One of `toolkit` and `tools` is required. */
export interface WorkbenchOptions {
  /**
   * A toolkit, with its servers and plugins. With the promise that `createToolkit` returns, the page already shows
   * questions that arise while the toolkit starts, such as whether a server's command may run.
   */
  readonly toolkit?: WorkbenchToolkit | Promise<WorkbenchToolkit>;
  /** Tools without a toolkit: a registry with its dispatcher, or any other source of tools. */
  readonly tools?: ToolSource;
  /** The queue whose `ask` the permission engine uses. Without it, the page shows no questions. */
  readonly approvals?: Approvals;
  /** The log whose `observer` the dispatcher uses. Without it, the page shows only the results of its own calls. */
  readonly calls?: CallLog;
  /** The journal whose `middleware` the dispatcher uses, or the promise of one. Without it, the page shows no changes. */
  readonly journal?: WorkbenchJournal | Promise<WorkbenchJournal | undefined>;
  /** The store of recorded runs. Without it, the page shows no runs. */
  readonly runs?: RunStore;
  /** Durable jobs of `@haft/jobs`. Without them, the page shows no jobs. */
  readonly jobs?: WorkbenchJobs;
  /** A conversation with an agent that uses the tools of the workbench. Without it, the page has no chat. */
  readonly chat?: Chat;
  /** Protocol messages of MCP servers, and their logins. Without it, the page shows neither. */
  readonly serverLog?: ServerLog;
  /**
   * URL that opens a file in an editor, with `{path}` and `{line}`; default `vscode://file/{path}:{line}`. For editors of
   * JetBrains: `idea://open?file={path}&line={line}`.
   */
  readonly editor?: string;
  /** Directory of the plugins. With it, the page shows the lines of a plugin that failed, and links to plugins. */
  readonly pluginDirectory?: string;
  /** Path at which the workbench is mounted; default `/`. */
  readonly basePath?: string;
  /** Host names that requests may use, without ports; default `localhost` and the loopback addresses. */
  readonly allowedHosts?: readonly string[];
  /** Token that every request for data must hold, at least 16 characters; default a random one. */
  readonly token?: string;
}

/** The option kinds of `createWorkbench`. */
export const workbenchTable: OptionTable<WorkbenchOptions> = {
  toolkit: custom(
    'a toolkit or the promise of one',
    (value) =>
      value instanceof Promise || hasMethods(value, 'dispatch', 'snapshot', 'connections', 'plugins', 'onEvent'),
  ),
  tools: toolSourceKind,
  approvals: objectWith<Approvals>('the result of createApprovals()', 'ask', 'waiting', 'answer'),
  calls: objectWith<CallLog>('the result of createCallLog()', 'observer', 'list'),
  journal: custom(
    'a journal of @haft/journal or the promise of one',
    (value) => value instanceof Promise || hasMethods(value, 'calls', 'diff', 'previewUndo', 'undo'),
  ),
  runs: objectWith<RunStore>('the result of openRuns()', 'list', 'read', 'add'),
  jobs: objectWith<WorkbenchJobs>('the result of openJobs() of @haft/jobs', 'list', 'counts', 'questions', 'settle'),
  chat: objectWith<Chat>('the result of createChat()', 'state', 'send', 'stop'),
  serverLog: objectWith<ServerLog>('the result of createServerLog()', 'list', 'loginOf'),
  editor: custom('a URL with {path}', (value) => typeof value === 'string' && /^[a-z][\w+.-]*:.*\{path\}/i.test(value)),
  pluginDirectory: nonEmptyStringKind,
  basePath: custom('a path that begins with a slash', (value) => typeof value === 'string' && value.startsWith('/')),
  allowedHosts: arrayOf(nonEmptyStringKind),
  token: custom(
    'a string of at least 16 characters',
    (value) => typeof value === 'string' && /^\S{16,200}$/.test(value),
  ),
};
