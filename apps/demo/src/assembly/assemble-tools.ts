import { createDispatcher, createWorkspace, silentLogger, ToolRegistry, type ToolSource } from '@haft/core';
import type { Journal } from '@haft/journal';
import type { SessionNotes } from '@haft/runner';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createPermission } from '../permission/create-permission.ts';
import type { PermissionMode } from '../permission/permission-mode.ts';
import type { Invocation } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';
import { createCleanup, type Cleanup } from './cleanup.ts';
import { createTools } from './create-tools.ts';
import { keepJournal } from './keep-journal.ts';
import { createServerConsent, type ServerConsent } from './server-consent.ts';

/** The tools of one run of the program, ready to be called. */
export interface AssembledTools extends AsyncDisposable {
  readonly registry: ToolRegistry;
  readonly dispatcher: ToolSource & { readonly registry: ToolRegistry };
  /** What the calls changed, and the way back; only where it was asked for and can be had. */
  readonly journal?: Journal;
}

/** What is put together, and for whom. */
export interface AssembleOptions {
  readonly invocation: Invocation;
  readonly mode: PermissionMode;
  /** Whether a model may put questions to the person; default true. */
  readonly asks?: boolean;
  /** Whether to record what calls change, so that it can be undone; default false. */
  readonly journals?: boolean;
  /** Where the tools keep tasks, plans and memories; default: in memory, for the run. */
  readonly notes?: SessionNotes;
}

/**
 * Puts together what the options ask for: the built-in tools in the working folder, a plugin folder, MCP servers.
 * Disposing of it ends all that was started.
 * @throws UsageError for a folder or server that can not be had; whatever was started by then has been ended.
 */
export async function assembleTools({
  invocation,
  mode,
  asks = true,
  journals = false,
  notes,
}: AssembleOptions): Promise<AssembledTools> {
  const { cwd, signal } = invocation;
  const note = (line: string): void => invocation.terminal.note(line);
  const tools = await createTools(invocation, { asks, notes });
  const registry = new ToolRegistry();
  registry.batch((draft) => {
    for (const tool of tools) draft.registerWithProvider(tool, 'builtin');
  });
  const started = createCleanup();
  try {
    const workspace = createWorkspace({
      cwd,
      permission: createPermission(mode, invocation),
      jail: { policy: invocation.flag('no-jail') ? 'off' : 'preferred' },
      // That commands are not kept in is for a person to know.
      logger: { ...silentLogger, warn: note },
    });
    // Before anything is started that could change files, and closed when all of that has ended.
    const journal = journals ? await keepJournal({ workspace, note, signal }) : undefined;
    if (journal) started.defer(() => journal.close());
    const consent = createServerConsent(mode, () => (asks ? invocation.device() : undefined));
    await startSources(invocation, registry, started, consent);
    const dispatcher = createDispatcher({ registry, workspace, middleware: journal ? [journal.middleware] : [] });
    return {
      registry,
      dispatcher,
      ...(journal ? { journal } : {}),
      [Symbol.asyncDispose]: () => started.run(),
    };
  } catch (error) {
    await started.run();
    throw error;
  }
}

async function startSources(
  invocation: Invocation,
  registry: ToolRegistry,
  started: Cleanup,
  consent: ServerConsent,
): Promise<void> {
  const { cwd, terminal, signal } = invocation;
  const note = (line: string): void => terminal.note(line);
  const plugins = invocation.value('plugins');
  if (plugins !== undefined) {
    const { servePlugins } = await import('./serve-plugins.ts');
    const served = await servePlugins({
      dir: pluginFolder(plugins, cwd),
      registry,
      isTrusted: invocation.flag('trust-plugins'),
      note,
    });
    started.defer(async () => served[Symbol.asyncDispose]());
  }
  const servers = invocation.value('mcp');
  if (servers !== undefined) {
    const { connectServers } = await import('./connect-servers.ts');
    const { readGivenServers } = await import('./read-server-file.ts');
    const given = readGivenServers(servers, cwd);
    const connected = await connectServers({ given, registry, cwd, signal, consent, note });
    started.defer(async () => connected[Symbol.asyncDispose]());
  }
}

function pluginFolder(given: string, cwd: string): string {
  const folder = resolve(cwd, given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--plugins ${given}: there is no such folder`);
  return folder;
}
