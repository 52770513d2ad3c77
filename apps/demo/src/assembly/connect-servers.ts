import { join } from 'node:path';
import type { ToolRegistry } from '@haft/core';
import {
  createConnection,
  createConnectionManager,
  McpError,
  type ConnectionEvent,
  type ManagerEvent,
} from '@haft/mcp';
import { createStore } from '@haft/store';
import { showable, showableLine } from '../show/showable.ts';
import { UsageError } from '../program/usage-error.ts';
import { createCleanup } from './cleanup.ts';
import type { GivenServers } from './read-server-file.ts';
import type { ServerConsent } from './server-consent.ts';
import { stateFolder } from './state-folder.ts';

/** Options of {@link connectServers}. */
export interface ConnectServersOptions {
  readonly given: GivenServers;
  readonly registry: ToolRegistry;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Approves new commands and changed tools. */
  readonly consent: ServerConsent;
  /** Receives one line about each server that is lost or unusable. */
  readonly note: (line: string) => void;
}

/**
 * Starts MCP servers in parallel and registers their tools. Disposing of the result ends them. One unusable server of a
 * file does not affect the others.
 * @throws UsageError if a typed command starts no server.
 */
export async function connectServers(options: ConnectServersOptions): Promise<AsyncDisposable> {
  const { given } = options;
  return given.kind === 'command' ? connectTyped(given, options) : manage(given.configuration, options);
}

/** A command that the user typed is approved. */
async function connectTyped(
  { command, args }: Extract<GivenServers, { kind: 'command' }>,
  { registry, cwd, signal, note }: ConnectServersOptions,
): Promise<AsyncDisposable> {
  try {
    const connection = await createConnection({
      command,
      args,
      cwd,
      registry,
      signal,
      onEvent: (event) => noteEvent(command, event, note),
    });
    return { [Symbol.asyncDispose]: () => connection.close() };
  } catch (error) {
    if (error instanceof McpError) throw new UsageError(`--mcp: ${error.message}`);
    throw error;
  }
}

async function manage(
  { servers, problems, unsupported }: Extract<GivenServers, { kind: 'file' }>['configuration'],
  { registry, signal, consent, note }: ConnectServersOptions,
): Promise<AsyncDisposable> {
  const ended = createCleanup();
  try {
    const store = await createStore({ url: `file:${join(stateFolder(), 'haft.db')}` });
    ended.defer(() => store.close());
    const manager = createConnectionManager({
      registry,
      servers,
      store,
      confirmCommand: (question) => consent.toCommand(question, signal),
      onEvent: (event) => noteManaged(event, note),
    });
    ended.defer(() => manager.stop());
    const stop = (): void => void manager.stop();
    signal.addEventListener('abort', stop, { once: true });
    for (const { name, reason } of problems) note(`haft: the MCP server ${showableLine(name, 80)}: ${reason}`);
    for (const { name, member } of unsupported)
      note(`haft: the MCP server ${showableLine(name, 80)}: ${showableLine(member, 80)} has no effect here`);
    await manager.restore();
    for (const { name, changes } of manager.connections())
      for (const change of changes)
        if (await consent.toChange(name, change, signal)) manager.approve(name, change);
        else note(`haft: ${change.tool} is not used: its server has changed it\n${showable(change.diff)}`);
  } catch (error) {
    await ended.run();
    throw error;
  }
  return { [Symbol.asyncDispose]: () => ended.run() };
}

function noteManaged(event: ManagerEvent, note: (line: string) => void): void {
  if (event.type === 'event') return noteEvent(event.name, event.event, note);
  if (event.type === 'save-failed')
    return note(`haft: the approval of ${event.name} could not be stored: ${showableLine(event.message, 400)}`);
  if (event.type !== 'connection') return undefined;
  const { name, state, reason } = event.connection;
  if (state === 'failed' || state === 'missing' || state === 'unapproved') {
    const remedy = state === 'unapproved' ? '; --yes starts it without asking' : '';
    note(`haft: the MCP server ${name} is not used: ${showableLine(reason, 600)}${remedy}`);
  }
  return undefined;
}

function noteEvent(name: string, event: ConnectionEvent, note: (line: string) => void): void {
  if (event.type === 'tool-suspended') {
    const { tool, fields } = event.change;
    return note(`haft: the MCP server ${name} has changed ${tool} (${fields.join(', ')}); the change needs approval`);
  }
  if (event.type !== 'state-change') return undefined;
  const { state, reason = '' } = event;
  if (state === 'restarting') note(`haft: the MCP server ${name} is gone (${reason}) and is restarted`);
  if (state === 'ready') note(`haft: the MCP server ${name} is back`);
  if (state === 'lost') note(`haft: the MCP server ${name} is gone: ${reason}`);
  return undefined;
}
