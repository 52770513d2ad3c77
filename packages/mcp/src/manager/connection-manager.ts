import type { ConnectionManager } from './manager-contract.ts';
import { describeCause, lifecycleProvider, type RestoreReport } from '@haft/core';
import type { RestoreProblem } from '@haft/core/registry';
import { createStore, type Store } from '@haft/store';
import { McpError } from '../mcp-error.ts';
import { toConnectionName } from '../untrusted/wire-name.ts';
import { describeCommand } from './describe-command.ts';
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

/** Provider path above all connections. */
const mcpProvider = 'dynamic/mcp';

/**
 * Makes a manager; nothing happens before `start()` or `restore()`.
 *
 * @throws McpError `INVALID_OPTION` without a registry, for an option that there is not, and for servers that are no entries.
 */
export function createConnectionManager(options: ConnectionManagerOptions): ConnectionManager {
  checkManagerOptions(options);
  const { registry, scope = 'default', lifecycle = true } = options;
  if (typeof registry?.batch !== 'function')
    throw new McpError('INVALID_OPTION', 'a connection manager needs registry, the ToolRegistry that gets the tools');
  const servers = new Set<ManagedServerHandle>();
  const listeners = new Set<() => void>();
  let ownStore: Store | undefined;
  let starting: Promise<ManagedServerDeps> | undefined;
  let stopping: Promise<void> | undefined;

  const find = (name: string): ManagedServerHandle | undefined =>
    name === '' ? undefined : [...servers].find((server) => server.name === name);

  const emit = (event: ManagerEvent): void => {
    try {
      options.onEvent?.(event);
    } catch {
      // A listener's failure is its own.
    }
  };
  const notifyChange = (): void => {
    for (const listener of listeners) listener();
  };

  const openStore = async (): Promise<ConnectionStore> =>
    createConnectionStore(options.store ?? (ownStore = await createStore({ url: 'memory:' })), scope);

  async function begin(): Promise<ManagedServerDeps> {
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
  const started = (): Promise<ManagedServerDeps> => {
    if (stopping) throw new McpError('INVALID_OPTION', stopped);
    return (starting ??= begin());
  };

  /** Puts a server in the place of another of its name. */
  const put = async (
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
    // Whoever is stopped while it reads what it keeps begins nothing more.
    if (stopping) await server.close();
    await before?.close();
    await server.open(signal);
    return server;
  };

  /** Takes a server away; whoever asks for it meanwhile does not find it any more. */
  const drop = async (server: ManagedServerHandle): Promise<void> => {
    servers.delete(server);
    await server.close();
    if (server.origin === 'saved') await (await started()).connectionStore.deleteEntry(server.name);
    emit({ type: 'disconnected', name: server.name });
    notifyChange();
  };

  const restore = async (): Promise<RestoreReport> => {
    const deps = await started();
    const problems: RestoreProblem[] = [];
    const wanted = new Map<string, { readonly entry: ServerSource; readonly origin: ManagedConnection['origin'] }>();
    for (const [given, entry] of Object.entries(options.servers ?? {})) {
      const name = toConnectionName(given);
      if (name === '') problems.push({ name: given, reason: 'its name has no letter or digit' });
      else if (wanted.has(name)) problems.push({ name: given, reason: `another server is named ${name} already` });
      else wanted.set(name, { entry, origin: 'configuration' });
    }
    try {
      for (const [name, entry] of await deps.connectionStore.entries())
        if (options.isReserved?.(name) === true) problems.push({ name, reason: `the name ${name} is reserved` });
        else if (!wanted.has(name)) wanted.set(name, { entry, origin: 'saved' });
    } catch (error) {
      problems.push({ name: mcpProvider, reason: `what was kept can't be read: ${describeCause(error)}` });
    }
    await Promise.all(
      [...wanted].map(([name, { entry, origin }]) => {
        const known = find(name);
        return known ? known.open() : put(name, entry, origin, deps);
      }),
    );
    return reportOf([...servers], problems);
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
      if (given !== undefined && name === '') throw new McpError('INVALID_OPTION', nameless);
      const deps = await started();
      if (stopping) throw new McpError('INVALID_OPTION', stopped);
      if (find(name)) throw nameError(name, 'taken');
      if (name !== '' && options.isReserved?.(name) === true) throw nameError(name, 'reserved');
      const server = createManagedServer(name, source, 'configuration', deps);
      servers.add(server);
      onAdded?.(server);
      await server.open();
      return server;
    },
    async remove(server) {
      const held = [...servers].find((one) => one === server);
      if (held) await drop(held);
      return held !== undefined;
    },
    async connect(given, entry, signal) {
      const name = toConnectionName(given);
      const problem = name === '' ? nameless : findStorageProblem(entry);
      if (problem !== undefined) throw new McpError('INVALID_OPTION', problem);
      const holder = find(name);
      if (holder?.origin === 'configuration')
        throw new McpError('NAME_TAKEN', `the configuration has a server named ${name}; choose another name`);
      if (!holder && options.isReserved?.(name) === true) throw nameError(name, 'reserved');
      const deps = await started();
      await deps.connectionStore.saveEntry(name, entry);
      return (await put(name, entry, 'saved', deps, signal)).info();
    },
    async reconnect(name, signal) {
      const server = find(name);
      await server?.open(signal);
      return server?.info();
    },
    async disconnect(name) {
      const server = find(name);
      if (server) await drop(server);
      return server !== undefined;
    },
    async approveCommand(given) {
      const server = typeof given === 'string' ? find(given) : [...servers].find((one) => one === given);
      if (!server || server.source.command === undefined) return server?.info();
      const { hash, line } = describeCommand(server.name, server.source);
      await (await started()).connectionStore.approve(hash, line);
      await server.open();
      return server.info();
    },
    approve: (name, change) => find(name)?.connection?.approve(change) ?? false,
    stop: () =>
      (stopping ??= (async () => {
        await starting?.catch(() => undefined);
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

const stopped = 'the connection manager was stopped';
const nameless = 'the name of a connection needs a letter or digit';

function nameError(name: string, why: 'taken' | 'reserved'): McpError {
  return new McpError('NAME_TAKEN', `the name ${name} is ${why}; give the connection another`);
}

function reportOf(servers: readonly ManagedServer[], problems: readonly RestoreProblem[]): RestoreReport {
  const infos = servers.map((server) => server.info());
  const of = (...states: readonly ManagedConnection['state'][]): readonly RestoreProblem[] =>
    infos
      .filter(({ state }) => states.includes(state))
      .map(({ name, address, reason }) => ({ name: name === '' ? address : name, reason }));
  const changed = infos.flatMap(({ changes }) =>
    changes.map(({ tool, fields }) => ({ name: tool, reason: `its server has changed its ${fields.join(', ')}` })),
  );
  const waiting = new Set(changed.map(({ name }) => name));
  return {
    restored: infos.flatMap(({ tools }) => tools.filter((tool) => !waiting.has(tool))).toSorted(),
    shadowed: [],
    missing: of('missing'),
    changed: [...of('unapproved'), ...changed],
    failed: [...of('failed', 'lost', 'closed', 'connecting'), ...problems],
  };
}
