import type { ConnectionManager } from './manager-contract.ts';
import { type RestoreReport } from '@haft/core';
import { lifecycleProvider, type RestoreProblem } from '@haft/core/registry';
import { describeCause } from '@haft/core/results';
import { createStore, type Store } from '@haft/store';
import { McpError } from '../mcp-error.ts';
import { toConnectionName } from '../untrusted/safe-wire-name.ts';
import { addressOf, describeCommand } from './describe-server-command.ts';
import { checkManagerOptions } from './check-manager-options.ts';
import { createConnectionStore, type ConnectionStore } from './connection-store.ts';
import { findStorageProblem } from './find-storage-problem.ts';
import { createLifecycleTools } from './lifecycle-tools.ts';
import {
  createManagedServer,
  type ManagedServerHandle,
  type ManagedServer,
  type ManagedServerDeps,
} from './managed-server.ts';
import type { ConnectionManagerOptions, ManagedConnection, ManagerEvent } from './manager-options.ts';
import { checkSource, type ServerSource } from './server-source.ts';

/** Parent provider path of all connections. */
const mcpProvider = 'dynamic/mcp';

/**
 * Creates a connection manager. It does nothing before `start()` or `restore()`.
 *
 * @throws McpError `INVALID_OPTION` without a registry, for an unknown option, and for servers that are not entries.
 */
export function createConnectionManager(options: ConnectionManagerOptions): ConnectionManager {
  checkManagerOptions(options);
  const { registry, scope = 'default', lifecycle = true } = options;
  const servers = new Set<ManagedServerHandle>();
  const listeners = new Set<() => void>();
  let ownStore: Store | undefined;
  let initializing: Promise<ManagedServerDeps> | undefined;
  let stopping: Promise<void> | undefined;

  const find = (name: string): ManagedServerHandle | undefined =>
    name === '' ? undefined : [...servers].find((server) => server.name === name);

  const emit = (event: ManagerEvent): void => {
    try {
      options.onEvent?.(event);
    } catch {
      // Listeners handle their own errors.
    }
  };
  const notifyChange = (): void => {
    for (const listener of listeners) listener();
  };

  const openStore = async (): Promise<ConnectionStore> =>
    createConnectionStore(options.store ?? (ownStore = await createStore({ url: 'memory:' })), scope);

  async function initialize(): Promise<ManagedServerDeps> {
    const deps: ManagedServerDeps = {
      options,
      connectionStore: await openStore(),
      claim(server, name) {
        const holder = find(name);
        if (holder !== undefined && holder !== server) throw nameError(name, 'taken');
        if (holder === undefined && options.isReserved?.(name) === true) throw nameError(name, 'reserved');
      },
      onState: (server) => {
        if (servers.has(server)) emit({ type: 'connection', connection: server.info() });
        notifyChange();
      },
      onEvent(name, event) {
        emit({ type: 'event', name, event });
        if (event.type === 'tool-list-changed') notifyChange();
      },
      onSaveFailed: (name, error) => emit({ type: 'save-failed', name, message: describeCause(error) }),
    };
    if (lifecycle) {
      if (lifecycleTools.some((tool) => registry.providerFor(tool.name) === lifecycleProvider))
        throw new McpError('NAME_TAKEN', 'the registry has a connection manager already; stop it first');
      registry.batch((draft) => lifecycleTools.forEach((tool) => draft.registerLifecycle(tool)));
    }
    return deps;
  }
  const ensureInitialized = (): Promise<ManagedServerDeps> => {
    if (stopping) throw new McpError('INVALID_OPTION', stoppedMessage);
    return (initializing ??= initialize());
  };

  /** Adds a server, replacing one of the same name. */
  const addServer = async (
    name: string,
    source: ServerSource,
    origin: ManagedConnection['origin'],
    deps: ManagedServerDeps,
    signal?: AbortSignal,
  ): Promise<ManagedServerHandle> => {
    const before = find(name);
    if (before) servers.delete(before);
    const server = createManagedServer(name, source, origin, deps);
    servers.add(server);
    // stop() may have been called in the meantime.
    if (stopping) await server.close();
    await before?.close();
    await server.open(signal);
    return server;
  };

  /** Removes a server at once, then closes it. */
  const removeServer = async (server: ManagedServerHandle): Promise<void> => {
    servers.delete(server);
    await server.close();
    if (server.origin === 'saved') await (await ensureInitialized()).connectionStore.deleteEntry(server.name);
    emit({ type: 'disconnected', name: server.name });
    notifyChange();
  };

  const restore = async (): Promise<RestoreReport> => {
    const deps = await ensureInitialized();
    const problems: RestoreProblem[] = [];
    const wanted = new Map<string, { readonly entry: ServerSource; readonly origin: ManagedConnection['origin'] }>();
    for (const [given, entry] of Object.entries(options.servers ?? {})) {
      const name = toConnectionName(given);
      if (name === '') problems.push({ name: given, reason: 'the name has no letter or digit' });
      else if (wanted.has(name)) problems.push({ name: given, reason: `another server is already named ${name}` });
      else wanted.set(name, { entry, origin: 'configuration' });
    }
    try {
      for (const [name, entry] of await deps.connectionStore.entries())
        if (options.isReserved?.(name) === true) problems.push({ name, reason: `the name ${name} is reserved` });
        else if (!wanted.has(name)) wanted.set(name, { entry, origin: 'saved' });
    } catch (error) {
      problems.push({ name: mcpProvider, reason: `reading the saved connections failed: ${describeCause(error)}` });
    }
    await Promise.all(
      [...wanted].map(([name, { entry, origin }]) => {
        const known = find(name);
        return known ? known.open() : addServer(name, entry, origin, deps);
      }),
    );
    return createReport([...servers], problems);
  };

  const manager: ConnectionManager = {
    path: mcpProvider,
    get lifecycleTools() {
      return lifecycle ? lifecycleTools : [];
    },
    start: async () => void (await restore()),
    restore,
    connections: () => [...servers].map((server) => server.info()).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    servers: () => [...servers],
    async add(source, { name: given, onAdded } = {}) {
      checkSource(given === undefined ? 'a server' : `the server ${given}`, source);
      const name = toConnectionName(given ?? '');
      if (given !== undefined && name === '') throw new McpError('INVALID_OPTION', invalidNameMessage);
      const deps = await ensureInitialized();
      if (stopping) throw new McpError('INVALID_OPTION', stoppedMessage);
      if (find(name)) throw nameError(name, 'taken');
      if (name !== '' && options.isReserved?.(name) === true) throw nameError(name, 'reserved');
      const server = createManagedServer(name, source, 'configuration', deps);
      servers.add(server);
      onAdded?.(server);
      await server.open();
      return server;
    },
    async remove(server) {
      const known = [...servers].find((one) => one === server);
      if (known) await removeServer(known);
      return known !== undefined;
    },
    async connect(given, entry, signal) {
      const name = toConnectionName(given);
      const problem = name === '' ? invalidNameMessage : findStorageProblem(entry);
      if (problem !== undefined) throw new McpError('INVALID_OPTION', problem);
      const holder = find(name);
      if (holder?.origin === 'configuration')
        throw new McpError('NAME_TAKEN', `the configuration has a server named ${name}; choose another name`);
      if (!holder && options.isReserved?.(name) === true) throw nameError(name, 'reserved');
      const deps = await ensureInitialized();
      await deps.connectionStore.saveEntry(name, entry);
      return (await addServer(name, entry, 'saved', deps, signal)).info();
    },
    async reconnect(name, signal) {
      const server = find(name);
      await server?.open(signal);
      return server?.info();
    },
    async disconnect(name) {
      const server = find(name);
      if (server) await removeServer(server);
      return server !== undefined;
    },
    async approveCommand(given) {
      const server = typeof given === 'string' ? find(given) : [...servers].find((one) => one === given);
      const approval =
        server?.info().approval ??
        (server?.source.command === undefined ? undefined : describeCommand(server.name, server.source));
      if (!server || !approval) return server?.info();
      await (await ensureInitialized()).connectionStore.approve(approval.hash, addressOf(server.source));
      await server.open();
      return server.info();
    },
    approve: (name, change) => find(name)?.connection?.approve(change) ?? false,
    stop: () =>
      (stopping ??= (async () => {
        await initializing?.catch(() => undefined);
        await Promise.all([...servers].map((server) => server.close()));
        registry.batch((draft) => {
          for (const tool of lifecycleTools)
            if (registry.get(tool.name) === tool) draft.unregister(tool.name, lifecycleProvider);
        });
        await ownStore?.close();
      })()),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const lifecycleTools = createLifecycleTools(manager, options.modelReferences ?? []);
  return manager;
}

const stoppedMessage = 'the connection manager was stopped';
const invalidNameMessage = 'the name of a connection needs a letter or digit';

function nameError(name: string, why: 'taken' | 'reserved'): McpError {
  return new McpError('NAME_TAKEN', `the name ${name} is ${why}; choose another name for the connection`);
}

function createReport(servers: readonly ManagedServer[], problems: readonly RestoreProblem[]): RestoreReport {
  const infos = servers.map((server) => server.info());
  const withState = (...states: readonly ManagedConnection['state'][]): readonly RestoreProblem[] =>
    infos
      .filter(({ state }) => states.includes(state))
      .map(({ name, address, reason }) => ({ name: name === '' ? address : name, reason }));
  const changed = infos.flatMap(({ changes }) =>
    changes.map(({ tool, fields }) => ({ name: tool, reason: `the server changed its ${fields.join(', ')}` })),
  );
  const waiting = new Set(changed.map(({ name }) => name));
  return {
    restored: infos.flatMap(({ tools }) => tools.filter((tool) => !waiting.has(tool))).toSorted(),
    shadowed: [],
    missing: withState('missing'),
    changed: [...withState('unapproved'), ...changed],
    failed: [...withState('failed', 'lost', 'closed', 'connecting'), ...problems],
  };
}
