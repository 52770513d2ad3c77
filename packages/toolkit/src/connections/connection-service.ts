import { type ToolRegistry, type Workspace } from '@haft/core';
import { describeCause } from '@haft/core/results';
import {
  createConnectionManager,
  McpError,
  type ConnectionManager,
  type ConnectionManagerOptions,
  type ManagedState,
  type ManagerEvent,
} from '@haft/mcp';
import type { Store } from '@haft/store';
import type { Namespace } from '../catalogue/item.ts';
import type { EventQueue, ToolkitDiagnostic } from '../events.ts';
import { checkNamespace, reservedNamespaces } from '../namespaces.ts';
import { ToolkitError } from '../toolkit-error.ts';
import { askCommandBy } from './ask-about-command.ts';
import { assertWanted, holdServer, infoOf, nameOf, type ConnectionInfo, type Slot } from './connection-slot.ts';
import { urlOf, webAddressOf, type ConnectionSource } from './connection-source.ts';
import type { ConnectorEvent, CreateConnector } from './connector.ts';
import { openConnector, type OpenConnector } from './open-connector.ts';

/** Options for connecting servers, including whether models may connect them. */
export type ToolkitConnectionOptions = Omit<ConnectionManagerOptions, 'registry' | 'servers' | 'isReserved'>;

/** Manages the connections of a toolkit. */
export interface ConnectionService {
  /** Connects a server or connector. Remote failures are reported in the info, never thrown. */
  add(source: ConnectionSource, namespace?: string): Promise<ConnectionInfo>;
  /** Closes the connection with this address or namespace. Returns false if no connection matches. */
  remove(key: string): Promise<boolean>;
  /** Approves the command of a connection and starts it. */
  approveCommand(namespace: string): Promise<ConnectionInfo>;
  /** Restores connections that models made in earlier runs, if models may connect servers. */
  restore(): Promise<unknown>;
  infos(): readonly ConnectionInfo[];
  /** Returns the namespaces of the open connections, in the order in which they were added. */
  namespaces(): readonly Namespace[];
  close(): Promise<void>;
}

/** Dependencies of the connection service. */
export interface ConnectionServiceOptions {
  readonly registry: ToolRegistry;
  readonly events: EventQueue;
  readonly delegate: { readonly createConnector?: CreateConnector } | undefined;
  /** Stores the approvals. */
  readonly store: Store;
  /** Its permission engine decides whether a new command may start. */
  readonly workspace: Pick<Workspace, 'permission' | 'cwd'>;
  readonly options: ToolkitConnectionOptions | undefined;
}

const waiting: readonly ManagedState[] = ['failed', 'missing', 'unapproved'];

/**
 * Creates a service without connections. The connection manager handles MCP servers; the program provides connectors
 * for other protocols.
 */
export function createConnectionService(given: ConnectionServiceOptions): ConnectionService {
  const { registry, events, delegate, workspace, options = {} } = given;
  const slots: Slot[] = [];
  let made: ConnectionManager | undefined;
  /** Created for the first connection, because its modules take longer to load than the rest of a toolkit. */
  const manager = (): ConnectionManager =>
    (made ??= createConnectionManager({
      store: given.store,
      lifecycle: false,
      confirmCommand: askCommandBy(workspace.permission, workspace.cwd),
      ...options,
      registry,
      isReserved: (name) =>
        reservedNamespaces.includes(name) || slots.some((slot) => slot.own && slot.namespace === name),
      onEvent(event) {
        listen(event);
        options.onEvent?.(event);
      },
    }));
  // Created at once if there are options, to check them and to register the tools that connect servers.
  if (given.options !== undefined) manager();

  const report = (namespace: string, message: string): void => {
    const diagnostic: ToolkitDiagnostic = { kind: 'connection', namespace, message };
    events.emit({ type: 'diagnostic', diagnostic });
  };
  /** Follows the connections that models open and close. */
  function followManager(): void {
    const servers = manager().servers();
    for (const slot of slots.filter((one) => one.server && !servers.includes(one.server))) {
      slots.splice(slots.indexOf(slot), 1);
      events.emit({ type: 'state-change', namespace: nameOf(slot), state: 'closed' });
    }
    for (const server of servers) {
      if (slots.some((slot) => slot.server === server)) continue;
      const slot: Slot = { namespace: '', url: undefined };
      holdServer(slot, server);
      slots.push(slot);
    }
  }

  function listen(event: ManagerEvent): void {
    if (event.type === 'event') return listenToServer(event);
    if (event.type === 'save-failed')
      return report(event.name, `the approval of ${event.name} could not be stored: ${event.message}`);
    followManager();
    if (event.type !== 'connection' || event.connection.state === 'connecting') return;
    const { name: namespace, state, server, reason, address } = event.connection;
    forget(namespace, 'prompts', 'resources');
    events.emit({
      type: 'state-change',
      namespace,
      state,
      ...(server && { server }),
      ...(reason === '' ? {} : { reason }),
    });
    const called = namespace === '' ? address : namespace;
    const remedy = `; pass createToolkit ask, add a rule that allows the command of mcp_connect, or call approveCommand(${JSON.stringify(namespace)})`;
    if (waiting.includes(state))
      report(namespace, `${called} could not be connected: ${reason}${state === 'unapproved' ? remedy : ''}`);
  }

  function listenToServer({ name: namespace, event }: Extract<ManagerEvent, { type: 'event' }>): void {
    if (event.type === 'prompt-list-changed') {
      forget(namespace, 'prompts');
      events.emit({ type: event.type, namespace });
    }
    if (event.type === 'resource-list-changed') {
      forget(namespace, 'resources');
      events.emit({ type: event.type, namespace });
    }
    if (event.type === 'resource-updated') events.emit({ type: event.type, namespace, uri: event.uri });
    if (event.type === 'diagnostic') report(namespace, event.diagnostic.message);
    if (event.type === 'tool-suspended') {
      const { tool, fields } = event.change;
      report(
        namespace,
        `the server has changed ${tool} (${fields.join(', ')}), which is unavailable until connection.approve(change)`,
      );
    }
  }

  function forget(namespace: string, ...what: readonly ('prompts' | 'resources')[]): void {
    const items = slots.find((slot) => nameOf(slot) === namespace)?.items;
    for (const each of what) items?.forget(each);
  }

  async function connect(slot: Slot, source: ConnectionSource): Promise<ConnectionInfo> {
    const named = slot.namespace === '' ? {} : { name: slot.namespace };
    try {
      const own = await openOwn(slot);
      if (own) {
        slot.own = own;
        const { state, server } = own;
        events.emit({ type: 'state-change', namespace: slot.namespace, state, ...(server && { server }) });
        return infoOf(slot);
      }
      assertWanted(slot);
      await manager().add(typeof source === 'string' ? { url: source } : source, {
        ...named,
        onAdded(server) {
          holdServer(slot, server);
          if (slot.isOver) void manager().remove(server);
        },
      });
    } catch (cause) {
      // An invalid option is a mistake of the program, not a failure of the server.
      if (cause instanceof McpError && cause.code === 'INVALID_OPTION') {
        slots.splice(slots.indexOf(slot), 1);
        throw new ToolkitError('BAD_PARAMETER', cause.message, { cause });
      }
      slot.reason = describeCause(cause);
      events.emit({ type: 'state-change', namespace: slot.namespace, state: 'failed', reason: slot.reason });
      report(slot.namespace, `${slot.namespace || slot.url || 'a server'} could not be connected: ${slot.reason}`);
    }
    return infoOf(slot);
  }

  async function openOwn(slot: Slot): Promise<OpenConnector | undefined> {
    if (slot.url === undefined) return undefined;
    // Events that arrive before the connector is registered have no listener yet.
    let listener: ((event: ConnectorEvent) => void) | undefined;
    const connector = await delegate?.createConnector?.(slot.url, (event) => listener?.(event));
    if (!connector) return undefined;
    const name = slot.namespace === '' ? connector.name : slot.namespace;
    checkNamespace(name);
    assertWanted(slot);
    if (slots.some((other) => other !== slot && nameOf(other) === name))
      throw new ToolkitError(
        'CONFLICT',
        `the name ${name} is taken; add the connection under another name with addNamedConnector`,
      );
    slot.namespace = name;
    const listenToOwn = (event: ConnectorEvent): void => {
      if (event.type !== 'tool-list-changed') events.emit({ ...event, namespace: name });
    };
    const notify = ({ message }: ToolkitDiagnostic): void => report(name, message);
    return openConnector(connector, name, { registry, listen: listenToOwn, report: notify }, (received) => {
      listener = received;
    });
  }

  async function end(slot: Slot): Promise<void> {
    slots.splice(slots.indexOf(slot), 1);
    slot.isOver = true;
    if (slot.server) await manager().remove(slot.server);
    await finish(slot);
  }

  async function finish(slot: Slot): Promise<void> {
    await slot.done?.catch(() => undefined);
    await slot.own?.close();
    events.emit({ type: 'state-change', namespace: nameOf(slot), state: 'closed' });
  }

  return {
    async add(source, namespace) {
      if (namespace !== undefined) checkNamespace(namespace);
      if (typeof source !== 'string' && (typeof source !== 'object' || source === null))
        throw new ToolkitError(
          'BAD_PARAMETER',
          `the connection ${namespace ?? ''} must be a URL, or an object such as { command: 'npx', args: ['-y', 'a-server'] }`,
        );
      const url = urlOf(source);
      const same = slots.find(
        (slot) => (url !== undefined && slot.url === url) || (namespace !== undefined && nameOf(slot) === namespace),
      );
      // A connection that is not established can be replaced by a new attempt.
      if (same && !waiting.includes(infoOf(same).state))
        throw new ToolkitError(
          'CONFLICT',
          `a connection to ${url === same.url && url !== undefined ? url : namespace} exists already`,
        );
      const slot: Slot = { namespace: namespace ?? '', url };
      const ended = same ? end(same) : undefined;
      slots.push(slot);
      const done = Promise.resolve(ended).then(() => connect(slot, source));
      slot.done = done;
      return done;
    },
    async remove(key) {
      const address = webAddressOf(key);
      const slot = slots.find((one) => nameOf(one) === key || (address !== undefined && infoOf(one).url === address));
      if (slot) await end(slot);
      return slot !== undefined;
    },
    async approveCommand(namespace) {
      // More than one connection may have no name yet.
      const isMeant = (one: Slot): boolean => namespace !== '' || infoOf(one).state === 'unapproved';
      const slot = slots.find((one) => nameOf(one) === namespace && isMeant(one));
      if (!slot) throw new ToolkitError('NOT_FOUND', `there is no connection ${JSON.stringify(namespace)}`);
      await manager().approveCommand(slot.server ?? namespace);
      return infoOf(slot);
    },
    restore: () => (options.lifecycle === true ? manager().restore() : Promise.resolve()),
    infos: () => slots.map(infoOf),
    namespaces: () =>
      slots.flatMap((slot): readonly Namespace[] => {
        const items = slot.own ?? (slot.server?.connection ? slot.items : undefined);
        if (!items) return [];
        return [
          {
            name: nameOf(slot),
            kind: 'connection',
            prompts: () => items.prompts(),
            resources: () => items.resources(),
          },
        ];
      }),
    async close() {
      const ending = slots.splice(0);
      for (const slot of ending) slot.isOver = true;
      // Connections made by models are closed but not forgotten, so that the next start restores them.
      await made?.stop();
      await Promise.all(ending.map(finish));
    },
  };
}
