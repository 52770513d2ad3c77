import {
  createDispatcher,
  createWorkspace,
  silentLogger,
  ToolRegistry,
  type AnyTool,
  type PermissionEngine,
  type ToolSource,
} from '@haft/core';
import type { Journal } from '@haft/journal';
import type { SessionNotes } from '@haft/runner';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createPermission, docsProvider } from '../permission/create-permission.ts';
import type { PermissionMode } from '../permission/permission-mode.ts';
import type { Invocation } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';
import { createCleanup, type Cleanup } from './cleanup.ts';
import { createTools } from './create-tools.ts';
import { keepJournal } from './keep-journal.ts';
import { createServerConsent } from './server-consent.ts';
import type { ServerOptions } from './server-options.ts';

/** The tools of one run, ready to be called. */
export interface AssembledTools extends AsyncDisposable {
  readonly registry: ToolRegistry;
  readonly dispatcher: ToolSource & { readonly registry: ToolRegistry };
  /** Records what calls change, so that it can be undone. Only if requested and available. */
  readonly journal?: Journal;
}

/** Options of {@link assembleTools}. */
export interface AssembleOptions {
  readonly invocation: Invocation;
  readonly mode: PermissionMode;
  /** Whether a model may ask the user questions. Default true. */
  readonly asks?: boolean;
  /** Whether to start the MCP servers of a file without asking. Default: only in the mode `yes`. */
  readonly approvesServers?: boolean;
  /** Whether to name the MCP servers before they are started. Default false. */
  readonly announcesServers?: boolean;
  /** Whether to wait for MCP servers that are not ready after 5 s. Default true. */
  readonly waitsForSlowServers?: boolean;
  /** Whether to record what calls change, so that it can be undone. Default false. */
  readonly journals?: boolean;
  /** Whether to add the tools that search and read the documentation of Haft. Default false. */
  readonly docs?: boolean;
  /** Where the tools keep tasks, plans and memories. Default: in memory, for this run. */
  readonly notes?: SessionNotes;
  /** Wraps the permission engine, for example to ask elsewhere than at the terminal. */
  readonly permission?: (engine: PermissionEngine) => PermissionEngine;
}

/**
 * Assembles the tools that the options request: built-in tools, a plugin folder, MCP servers. Disposing of the result
 * ends everything that was started.
 * @throws UsageError for an unusable folder or server, after ending everything that was started.
 */
export async function assembleTools({
  invocation,
  mode,
  asks = true,
  approvesServers = mode === 'yes',
  announcesServers = false,
  waitsForSlowServers = true,
  journals = false,
  docs = false,
  notes,
  permission,
}: AssembleOptions): Promise<AssembledTools> {
  const { cwd, signal } = invocation;
  const note = (line: string): void => invocation.terminal.note(line);
  const tools = await createTools(invocation, { asks, notes });
  const documentation = docs ? await loadDocsTools() : [];
  const registry = new ToolRegistry();
  registry.batch((draft) => {
    for (const tool of tools) draft.registerWithProvider(tool, 'builtin');
    for (const tool of documentation) draft.registerWithProvider(tool, docsProvider);
  });
  const started = createCleanup();
  try {
    const workspace = createWorkspace({
      cwd,
      permission: permission?.(createPermission(mode, invocation, true)) ?? createPermission(mode, invocation),
      jail: { policy: invocation.flag('no-jail') ? 'off' : 'preferred' },
      // Tells the user if commands run without a jail.
      logger: { ...silentLogger, warn: note },
    });
    // Opened before everything that can change files, and closed after it.
    const journal = journals ? await keepJournal({ workspace, note, signal }) : undefined;
    if (journal) started.defer(() => journal.close());
    const consent = createServerConsent(approvesServers, () => (asks ? invocation.device() : undefined), note);
    await startSources(invocation, registry, started, { consent, announcesServers, waitsForSlowServers });
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

async function loadDocsTools(): Promise<readonly AnyTool[]> {
  const { createDocsTools } = await import('../documentation/docs-tools.ts');
  return createDocsTools();
}

async function startSources(
  invocation: Invocation,
  registry: ToolRegistry,
  started: Cleanup,
  options: Pick<ServerOptions, 'consent' | 'announcesServers' | 'waitsForSlowServers'>,
): Promise<void> {
  const { cwd, terminal, signal } = invocation;
  const note = (line: string): void => terminal.note(line);
  const plugins = invocation.value('plugins');
  if (plugins !== undefined) {
    const { servePlugins } = await import('./serve-plugins.ts');
    const served = await servePlugins({
      directory: pluginFolder(plugins, cwd),
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
    const given = await readGivenServers(servers, cwd);
    const connected = await connectServers({ given, registry, cwd, signal, note, ...options });
    started.defer(async () => connected[Symbol.asyncDispose]());
  }
}

function pluginFolder(given: string, cwd: string): string {
  const folder = resolve(cwd, given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--plugins ${given}: no such folder`);
  return folder;
}
