import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createWorkspace, silentLogger, type DispatchMiddleware } from '@haft/core';
import type { Jobs } from '@haft/jobs';
import type { Journal } from '@haft/journal';
import { replayRun } from '@haft/runner';
import { createToolkit, type Toolkit, type ToolkitOptions } from '@haft/toolkit';
import {
  createApprovals,
  createCallLog,
  createServerLog,
  createWorkbench,
  openRuns,
  serveWorkbench,
  WorkbenchError,
} from '@haft/workbench';
import type { Approvals, CallLog, ServedWorkbench, Workbench, WorkbenchOptions } from '@haft/workbench';
import { connectToolkitServers } from '../assembly/connect-toolkit-servers.ts';
import { keepJournal } from '../assembly/keep-journal.ts';
import { readGivenServers, type GivenServers } from '../assembly/read-server-file.ts';
import { stateFolder } from '../assembly/state-folder.ts';
import { createWorkbenchChat } from '../chat/workbench-chat.ts';
import type { Invocation } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';
import { openInBrowser } from '../program/open-in-browser.ts';

/** Serves the workbench until the program is asked to end. */
export async function runUi(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const port = readPort(invocation.value('port'));
  const serverLog = createServerLog();
  const servers = await readServers(invocation);
  const options = { ...readOptions(invocation), ...(servers?.kind === 'file' && optionsFor(servers)) };
  const jobs = await openGivenJobs(invocation);
  const approvals = createApprovals();
  const calls = createCallLog();
  const journal = openJournal(invocation);
  const starting = start(options, journal, approvals, calls);
  const runs = openRuns({ directory: runsFolder(invocation.cwd), replay: replayRun });
  const chat = await createWorkbenchChat({ cwd: invocation.cwd, runs, signal });
  const workbench = createWorkbench({
    toolkit: starting,
    approvals,
    calls,
    journal,
    runs,
    chat,
    serverLog,
    ...linksOf(invocation),
    ...(jobs && { jobs }),
  });
  let served: ServedWorkbench | undefined;
  let watched: { close(): void } | undefined;
  try {
    served = await serve(workbench, port);
    terminal.line(`The workbench is at ${served.url} (Ctrl-C ends it)`);
    if (invocation.flag('open')) openInBrowser(served.url);
    // A toolkit that can't be created ends the program with its error.
    const toolkit = await Promise.race([starting, ended(signal)]);
    if (toolkit && servers)
      watched = connectToolkitServers({
        given: servers,
        toolkit,
        cwd: invocation.cwd,
        log: serverLog,
        note: note(invocation),
      });
    await ended(signal);
  } finally {
    watched?.close();
    workbench.close();
    await served?.close();
    await starting.then(
      (toolkit) => toolkit.dispose(),
      () => undefined,
    );
    await (await journal)?.close();
    await jobs?.close();
  }
  return 0;
}

/** Creates the toolkit. Its calls wait until the journal has read the folder, so that the first one can be undone, too. */
function start(
  options: ToolkitOptions,
  opening: Promise<Journal | undefined>,
  { ask }: Approvals,
  { observer }: CallLog,
): Promise<Toolkit> {
  const middleware: DispatchMiddleware = {
    name: 'journal',
    async around(info, next) {
      const journal = await opening;
      return journal?.middleware.around ? journal.middleware.around(info, next) : next();
    },
  };
  return createToolkit({ ...options, ask, observer, middleware: [middleware] });
}

async function openGivenJobs(invocation: Invocation): Promise<Jobs | undefined> {
  const url = invocation.value('jobs');
  if (url === undefined) return undefined;
  const { JobsError, openJobs } = await import('@haft/jobs');
  try {
    return await openJobs({ url, onWarning: ({ message }) => note(invocation)(message) });
  } catch (error) {
    if (error instanceof JobsError) throw new UsageError(`--jobs ${url}: ${error.message}`);
    throw error;
  }
}

function openJournal({ cwd, signal, terminal }: Invocation): Promise<Journal | undefined> {
  const workspace = createWorkspace({ cwd, logger: silentLogger });
  return keepJournal({ workspace, signal, note: (line) => terminal.note(line) });
}

/** Recorded runs belong to a folder, like its journal. */
function runsFolder(cwd: string): string {
  return join(stateFolder(), 'runs', createHash('sha256').update(cwd).digest('hex').slice(0, 24));
}

function readOptions(invocation: Invocation): ToolkitOptions {
  const { cwd } = invocation;
  const plugins = invocation.value('plugins');
  const isolation = invocation.flag('trust-plugins') ? 'inline' : 'process';
  return {
    cwd,
    logger: { debug() {}, info() {}, warn: note(invocation), error: note(invocation) },
    jail: { policy: invocation.flag('no-jail') ? 'off' : 'preferred' },
    ...(plugins === undefined ? {} : { plugins: { directory: folderOf(plugins, cwd), isolation } }),
  };
}

/** Folder of the plugins, and URL of the editor. */
function linksOf(invocation: Invocation): Pick<WorkbenchOptions, 'editor' | 'pluginDirectory'> {
  const plugins = invocation.value('plugins');
  const editor = invocation.value('editor');
  if (editor !== undefined && !/^[a-z][\w+.-]*:.*\{path\}/i.test(editor))
    throw new UsageError(`--editor ${editor}: expected a URL with {path}, such as vscode://file/{path}:{line}`);
  return {
    ...(editor === undefined ? {} : { editor }),
    ...(plugins === undefined ? {} : { pluginDirectory: resolve(invocation.cwd, plugins) }),
  };
}

function note({ terminal }: Invocation): (message: string) => void {
  return (message) => terminal.note(`haft: ${message}`);
}

function folderOf(given: string, cwd: string): string {
  const folder = resolve(cwd, given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--plugins ${given}: no such folder`);
  return folder;
}

async function readServers(invocation: Invocation): Promise<GivenServers | undefined> {
  const given = invocation.value('mcp');
  return given === undefined ? undefined : readGivenServers(given, invocation.cwd);
}

/** Where approvals for the servers of a file are kept, and what needs approval. */
function optionsFor({ isInFolder }: Extract<GivenServers, { kind: 'file' }>): Pick<ToolkitOptions, 'mcp' | 'store'> {
  return { store: `file:${join(stateFolder(), 'haft.db')}`, mcp: { lifecycle: false, confirmReferences: isInFolder } };
}

function readPort(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port ${given}: expected a number from 0 to 65535`);
  return port;
}

async function serve(workbench: Workbench, port: number): Promise<ServedWorkbench> {
  try {
    return await serveWorkbench(workbench, { port });
  } catch (error) {
    if (error instanceof WorkbenchError) throw new UsageError(`--port: ${error.message}`);
    throw error;
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
