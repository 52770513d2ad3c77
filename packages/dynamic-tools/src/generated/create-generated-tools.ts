import {
  booleanKind,
  functionKind,
  loggerKind,
  numberKind,
  arrayOf,
  stringKind,
  toolRegistryKind,
  checkOptions,
  described,
  nonEmptyStringKind,
  objectWith,
  oneOf,
  required,
  type OptionTable,
} from '@haft/core/options';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  silentLogger,
  type AnyTool,
  type Logger,
  type RestoreReport,
  type ToolProvider,
  type ToolRegistry,
} from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { Catalog } from '../catalog/create-catalog.ts';
import { invalidOption, PluginError } from '../plugin-error.ts';
import type { GeneratedToolEvent, GeneratedToolInfo, GeneratedToolState } from './store/generated-report.ts';
import { createListTools } from './lifecycle/list-tools.ts';
import { createNewTool } from './lifecycle/new-tool.ts';
import { createReadToolSource } from './lifecycle/read-tool-source.ts';
import { createRollbackTool } from './lifecycle/rollback-tool.ts';
import { createTestTool } from './lifecycle/test-tool.ts';
import type { ToolDeps } from './lifecycle/lifecycle-tool-deps.ts';
import { createUnregisterTool } from './lifecycle/unregister-tool.ts';
import { createToolFolderLoader } from './folder/load-tool-folder.ts';
import { folderOf, readToolFolder, sweepToolFolders } from './folder/tool-folder.ts';
import { createToolStore, generatedProvider } from './store/tool-store.ts';
import { createToolBuilder } from './store/tool-builder.ts';

/** Options of {@link createGeneratedTools}. */
export interface GeneratedToolsOptions {
  readonly registry: ToolRegistry;
  /** Stores the tools. */
  readonly catalog: Catalog;
  /** The folder for the files that tools run from. Missing files are restored from the catalog. */
  readonly directory: string;
  /** Whether tools must run in a jail of the operating system, as for plugins. Default `required`. */
  readonly jail?: 'required' | 'preferred' | 'off';
  /** Modules that tools may import in addition to those that only compute. Packages must also be in `hostPackages`. */
  readonly modules?: readonly string[];
  /** Whether TypeScript checks types, if it is installed (`typescript`, an optional peer). Default true. */
  readonly typeCheck?: boolean;
  /** Packages that tools may import from this program. Default: none. */
  readonly hostPackages?: readonly string[];
  /** Names of built-in tools that a generated tool may replace. Default: none. Lifecycle tools can't be replaced. */
  readonly mayShadow?: readonly string[];
  /** Receives what tools log and print. `data.plugin` is the tool's name. Default: discarded. */
  readonly logger?: Logger;
  /** Called with each event. Exceptions are ignored. */
  readonly onEvent?: (event: GeneratedToolEvent) => void;
  /** Time limit for loading a tool's module, in milliseconds. Default 5,000. */
  readonly loadTimeoutMs?: number;
  /** Time without calls after which a tool's process ends until the next call, in milliseconds. Default 60,000. */
  readonly idleTimeoutMs?: number;
  /** Time without a response after which a tool's process is ended, in milliseconds. Default 10,000. */
  readonly unresponsiveMs?: number;
  /** Memory limit of a tool's process in megabytes (Linux only). Default 256. */
  readonly maxMemoryMegabytes?: number;
  /** Time that running calls of a replaced version get before it is ended, in milliseconds. Default 120,000. */
  readonly drainTimeoutMs?: number;
}

const span = numberKind({ above: 0 });
const names = arrayOf(stringKind, 'an array of names');
const table: OptionTable<GeneratedToolsOptions> = {
  registry: required(described<ToolRegistry>('the ToolRegistry that receives the tools', toolRegistryKind)),
  catalog: required(objectWith<Catalog>('a catalog of createCatalog', 'entry')),
  directory: required(described('a folder for the files of tools', nonEmptyStringKind)),
  jail: oneOf('required', 'preferred', 'off'),
  modules: names,
  typeCheck: booleanKind,
  hostPackages: names,
  mayShadow: names,
  logger: loggerKind,
  onEvent: functionKind,
  loadTimeoutMs: span,
  idleTimeoutMs: span,
  unresponsiveMs: span,
  maxMemoryMegabytes: span,
  drainTimeoutMs: span,
};

/** Provider of the tools that models write at run time. */
export interface GeneratedTools extends ToolProvider {
  restore(): Promise<RestoreReport>;
  /** Returns every tool of the catalog, sorted by name. */
  tools(): readonly GeneratedToolInfo[];
  /**
   * Approves the current files of a tool in state `changed`: they become a new version, and its first use asks for
   * permission. Resolves to the tool's new state, or to `undefined` for an unknown name. Only the host can call it: it
   * is not a tool.
   */
  approve(name: string): Promise<GeneratedToolInfo | undefined>;
  /** Calls the listener with each later event. Returns a function that unsubscribes it. */
  onEvent(listener: (event: GeneratedToolEvent) => void): () => void;
}

/**
 * Creates the provider of tools that a model writes, with `new_tool`, `unregister_tool`, `rollback_tool`, `test_tool`,
 * `read_tool_source` and `list_tools`. Does nothing before `start()` or `restore()`.
 *
 * @throws PluginError `INVALID_OPTION` without a registry, a catalog or a folder.
 */
export function createGeneratedTools(options: GeneratedToolsOptions): GeneratedTools {
  checkOptions('createGeneratedTools', options, table, '{ registry, catalog, directory }', invalidOption);
  const { registry, catalog, jail = 'required', modules = [], mayShadow = [] } = options;
  const directory = resolve(options.directory);
  const listeners = new Set<(event: GeneratedToolEvent) => void>(options.onEvent ? [options.onEvent] : []);
  const emit = (event: GeneratedToolEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch {
        // Exceptions of a listener are ignored.
      }
    }
  };
  const loader = createToolFolderLoader({
    jail,
    hostPackages: options.hostPackages ?? [],
    loadTimeoutMs: options.loadTimeoutMs ?? 5_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
    unresponsiveMs: options.unresponsiveMs ?? 10_000,
    maxMemoryMegabytes: options.maxMemoryMegabytes ?? 256,
    logger: options.logger ?? silentLogger,
  });
  const toolStore = createToolStore({
    registry,
    catalog,
    directory,
    loader,
    lifecycleTools: () => lifecycleTools,
    mayShadow,
    drainTimeoutMs: options.drainTimeoutMs ?? 120_000,
    emit,
  });
  const builder = createToolBuilder({
    catalog,
    directory,
    loader,
    jail,
    modules,
    typeCheck: options.typeCheck ?? true,
  });
  const deps: ToolDeps = {
    registry,
    catalog,
    builder,
    modules,
    mayShadow,
    emit,
    infos: () => toolStore.infos(),
    follow: (name) => toolStore.follow(name),
  };
  const lifecycleTools: readonly AnyTool[] = [
    createNewTool(deps),
    createUnregisterTool(deps),
    createRollbackTool(deps),
    createTestTool(deps),
    createReadToolSource(deps),
    createListTools(deps),
  ];
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  const stops: (() => void)[] = [];

  async function begin(): Promise<void> {
    if (lifecycleTools.some((tool) => registry.providerFor(tool.name) === 'lifecycle'))
      throw new PluginError('LOADER_EXISTS', 'this registry has a generated-tools provider already; stop it first');
    toolStore.open();
    stops.push(registry.onChange(() => toolStore.followShadowed()));
    await mkdir(directory, { recursive: true });
    await sweepToolFolders(directory);
    try {
      // Watches first and lists afterwards, so that no change in between is missed.
      stops.push(
        await catalog.watch((change) => {
          if (change.kind === 'reset') void toolStore.followAll();
          else if (change.kind === 'tool') void toolStore.follow(change.name);
        }),
      );
    } catch (error) {
      emit({ type: 'catalog-failed', message: describeCause(error) });
    }
  }
  const restore = async (): Promise<RestoreReport> => {
    await (starting ??= begin());
    return reportOf(await toolStore.followAll());
  };
  const listen = (listener: (event: GeneratedToolEvent) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    path: generatedProvider,
    lifecycleTools,
    restore,
    start: async () => void (await restore()),
    stop: () =>
      (stopping ??= (async () => {
        const started = await starting?.then(
          () => true,
          () => false,
        );
        for (const stop of stops) stop();
        if (started) await toolStore.close();
      })()),
    tools: () => toolStore.infos(),
    async approve(name) {
      const kept = await catalog.entry(name);
      const current = kept?.entry.versions.find(({ version }) => version === kept.entry.version);
      if (!kept || !current) return undefined;
      const source = await catalog.source(name, current.version);
      const files = (await readToolFolder(folderOf(directory, name, current.version, current.hash))) ?? source?.files;
      if (files) {
        const approved = await builder.approve(kept, files);
        if (typeof approved === 'string') emit({ type: 'tool-quarantined', name, report: approved });
      }
      await toolStore.follow(name);
      return toolStore.infos().find((info) => info.name === name);
    },
    onEvent: listen,
    onChange: (listener) =>
      listen(({ type }) => {
        if (type === 'tool-added' || type === 'tool-replaced' || type === 'tool-removed') listener();
      }),
  };
}

function reportOf(infos: readonly GeneratedToolInfo[]): RestoreReport {
  const of = (state: GeneratedToolState): { readonly name: string; readonly reason: string }[] =>
    infos.filter((info) => info.state === state).map(({ name, reason }) => ({ name, reason }));
  return {
    restored: of('live').map(({ name }) => name),
    shadowed: of('shadowed'),
    missing: of('missing'),
    changed: of('changed'),
    failed: of('failed'),
  };
}
