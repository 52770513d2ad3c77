import type { Prompt, Resource, ToolRegistry } from '@haft/core';
import { createConnection, type Connection, type ConnectionEvent, type ConnectionState } from '@haft/mcp';
import { describeCause, encodeName } from '@haft/core';
import type { ToolkitDiagnostic } from '../events.ts';
import { connectionProvider } from '../namespaces.ts';
import type { ResourceTemplate } from '../resources/resource-template.ts';
import type { Connector, ConnectorEvent } from './connector.ts';
import type { ConnectionSource } from './connection-source.ts';

/** A connection as the toolkit sees it, whatever it speaks. */
export interface OpenConnection {
  /** Its namespace. */
  readonly name: string;
  readonly state: ConnectionState;
  readonly server: { readonly name: string; readonly version: string } | undefined;
  /** The MCP connection itself, when it is one. */
  readonly connection?: Connection;
  prompts(): readonly Prompt[] | Promise<readonly Prompt[]>;
  resources(): readonly (Resource | ResourceTemplate)[] | Promise<readonly (Resource | ResourceTemplate)[]>;
  close(): Promise<void>;
}

/** What every way to open one is given. */
export interface OpenOptions {
  /** The namespace that was asked for. */
  readonly namespace: string | undefined;
  readonly registry: ToolRegistry;
  readonly signal: AbortSignal;
  readonly hear: (event: ConnectorEvent) => void;
  readonly report: (diagnostic: ToolkitDiagnostic) => void;
}

/** Connects an MCP server; its tools go into the registry, and stay in step with it. */
export async function openServer(source: ConnectionSource, options: OpenOptions): Promise<OpenConnection> {
  const { namespace, registry, signal, hear, report } = options;
  const kept = new Map<string, Promise<unknown>>();
  /** What a server has is listed once, and again when it says that it has something else. */
  const keep = <Value>(what: string, list: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(what) as Promise<Value> | undefined;
    if (known) return known;
    const listed = list();
    kept.set(what, listed);
    listed.catch(() => kept.delete(what));
    return listed;
  };
  const onEvent = (event: ConnectionEvent): void => {
    if (event.type === 'prompt-list-changed') {
      kept.delete('prompts');
      hear(event);
    }
    if (event.type === 'resource-list-changed') {
      kept.delete('resources');
      hear(event);
    }
    if (event.type === 'resource-updated') hear({ type: 'resource-updated', uri: event.uri });
    if (event.type === 'state-change') {
      kept.clear();
      const { state, server, reason } = event;
      hear({ type: 'state-change', state, ...(server && { server }), ...(reason === undefined ? {} : { reason }) });
    }
    if (event.type === 'diagnostic') report({ kind: 'connection', message: event.diagnostic.message });
    if (event.type === 'tool-suspended') {
      const { tool, fields } = event.change;
      report({
        kind: 'connection',
        message: `the server has changed ${tool} (${fields.join(', ')}), which can't be used until connection.approve(change)`,
      });
    }
  };
  const given = typeof source === 'string' ? { url: source } : source;
  const connection = await createConnection({
    ...given,
    ...(namespace === undefined ? {} : { name: namespace }),
    registry,
    signal,
    onEvent,
  });
  return {
    name: connection.name,
    get state() {
      return connection.state;
    },
    get server() {
      return connection.server;
    },
    connection,
    prompts: () => (connection.state === 'ready' ? keep('prompts', () => connection.library.prompts()) : []),
    resources: () => (connection.state === 'ready' ? keep('resources', () => connection.library.resources()) : []),
    close: () => connection.close(),
  };
}

/** Takes in a connector of the program's own; its tools are registered as `namespace_tool`. */
export async function openConnector(
  connector: Connector,
  namespace: string,
  { registry, hear, report }: Pick<OpenOptions, 'registry' | 'hear' | 'report'>,
  onHear: (listener: (event: ConnectorEvent) => void) => void,
): Promise<OpenConnection> {
  const provider = `${connectionProvider}/${namespace}`;
  let state: ConnectionState = 'ready';
  let server: OpenConnection['server'];
  const takeTools = async (): Promise<void> => {
    const tools = (await connector.tools?.()) ?? [];
    if (state === 'closed') return;
    const names = new Set<string>();
    registry.batch((draft) => {
      draft.clear(provider);
      for (const tool of tools) {
        const isTaken = (name: string): boolean =>
          names.has(name) || ![provider, undefined].includes(registry.providerFor(name));
        const name = encodeName(`${namespace}_${tool.name}`, isTaken);
        names.add(name);
        draft.registerWithProvider({ ...tool, name }, provider);
      }
    });
  };
  onHear((event) => {
    if (event.type === 'state-change') {
      if (state !== 'closed') state = event.state;
      server = event.server ?? server;
    }
    if (event.type !== 'tool-list-changed') return hear(event);
    takeTools().catch((cause: unknown) =>
      report({
        kind: 'connection',
        message: `the tools of ${namespace} could not be listed again: ${describeCause(cause)}`,
      }),
    );
  });
  await takeTools();
  return {
    name: namespace,
    get state() {
      return state;
    },
    get server() {
      return server;
    },
    prompts: () => connector.prompts?.() ?? [],
    resources: () => connector.resources?.() ?? [],
    async close() {
      state = 'closed';
      registry.clear(provider);
      await connector.close?.();
    },
  };
}
