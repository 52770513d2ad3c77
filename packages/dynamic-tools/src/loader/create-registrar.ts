import {
  type AnyTool,
  type DispatchMiddleware,
  type Prompt,
  type Resource,
  type RestoreReport,
  type ToolProvider,
  type ToolRegistry,
  type TurnHooks,
} from '@haft/core';
import {
  checkOptions,
  custom,
  described,
  objectWith,
  required,
  toolRegistryKind,
  type OptionTable,
} from '@haft/core/options';
import { lifecycleProvider, type DescriptionStore, type RestoreProblem } from '@haft/core/registry';
import { describeCause } from '@haft/core/results';
import type { Catalog } from '../catalog/create-catalog.ts';
import { invalidOption } from '../plugin-error.ts';

/** Options of {@link createRegistrar}. */
export interface RegistrarOptions {
  readonly registry: ToolRegistry;
  /** Sources of tools at run time: plugins, generated tools, connections. Started in this order. */
  readonly providers: readonly ToolProvider[];
  /** Storage that survives a restart, used for `descriptions`. Each provider has its own option for it. */
  readonly catalog?: Catalog;
  /**
   * Descriptions that replace those of tools, stored in `catalog.descriptions`. They are read at the start and after
   * changes by other hosts.
   */
  readonly descriptions?: DescriptionStore;
}

/** Connects providers and a catalog to a registry. */
export interface Registrar {
  /**
   * Starts every provider and restores its tools. May be called repeatedly. A provider that can't be started is listed
   * in `failed` by its path, and does not affect the others. Lifecycle tools are registered last.
   */
  restore(): Promise<RestoreReport>;
  /** The lifecycle tools of all providers. */
  readonly lifecycleTools: readonly AnyTool[];
  /**
   * The prompts of all providers, sorted by name. Equal names are in the order of the providers. The array stays the
   * same object until a prompt is added or removed.
   */
  prompts(): readonly Prompt[];
  /**
   * The resources of all providers, sorted by URI. Equal URIs are in the order of the providers. The array stays the
   * same object until a resource is added or removed.
   */
  resources(): readonly Resource[];
  /**
   * The hooks of all providers, in their order. Pass them as `middleware` to a dispatcher and as `turnHooks` to an
   * agent loop.
   */
  readonly hooks: readonly (DispatchMiddleware & TurnHooks)[];
  /** Unregisters every tool that was added at run time. Built-in tools, lifecycle tools and stored entries stay. */
  clear(): void;
  /**
   * Calls the listener when tools, prompts or resources were added or removed. Returns a function that unsubscribes it.
   */
  onChange(listener: () => void): () => void;
  /** Stops every provider, the last one first. */
  stop(): Promise<void>;
}

/** Provider path above all tools that are added at run time. */
const dynamicProvider = 'dynamic';

/**
 * Creates a registrar. Does nothing before `restore()`.
 *
 * @throws PluginError `INVALID_OPTION` without a registry, for two providers with the same lifecycle tool, and for a
 * provider path outside of `dynamic`.
 */
export function createRegistrar(options: RegistrarOptions): Registrar {
  checkOptions('createRegistrar', options, table, '{ registry, providers }', invalidOption);
  const { registry, providers, catalog, descriptions } = options;
  checkProviders(providers);
  const lifecycleTools = providers.flatMap((provider) => provider.lifecycleTools);
  const listeners = new Set<() => void>();
  const stops: (() => void)[] = [];
  const started = new Set<ToolProvider>();
  let isFollowing = false;
  let stopping: Promise<void> | undefined;

  /** Registers the lifecycle tools again, after all other tools. Starts a batch only if one is missing. */
  const registerLast = (): void => {
    const wanted = providers.filter((provider) => started.has(provider)).flatMap((provider) => provider.lifecycleTools);
    const missing = wanted.filter((tool) => registry.get(tool.name) !== tool);
    if (missing.length === 0 || stopping) return;
    registry.batch((draft) => {
      for (const tool of missing) draft.unregister(tool.name, lifecycleProvider);
      for (const tool of missing) draft.registerLifecycle(tool);
    });
  };

  async function follow(): Promise<void> {
    if (isFollowing) return;
    isFollowing = true;
    for (const provider of providers)
      stops.push(
        provider.onChange(() => {
          registerLast();
          for (const listener of listeners) listener();
        }),
      );
    if (!catalog || !descriptions) return;
    const stop = await catalog.watch((change) => {
      // Descriptions that can't be read stay as they were.
      if (change.kind !== 'tool' && change.kind !== 'plugin') void descriptions.load().catch(() => undefined);
    });
    stops.push(stop);
  }

  const prompts = createGatherer(
    () => providers.map((provider) => provider.prompts?.() ?? noParts),
    ({ name }: Prompt) => name,
  );
  const resources = createGatherer(
    () => providers.map((provider) => provider.resources?.() ?? noParts),
    ({ uri }: Resource) => uri,
  );

  return {
    lifecycleTools,
    prompts,
    resources,
    hooks: providers.flatMap(({ hooks }) => (hooks ? [hooks] : [])),
    async restore() {
      const reports: RestoreReport[] = [];
      const failures: RestoreProblem[] = [];
      const attempt = async (name: string, work: () => Promise<RestoreReport | void>): Promise<void> => {
        try {
          const report = await work();
          if (report) reports.push(report);
        } catch (error) {
          failures.push({ name, reason: describeCause(error) });
        }
      };
      await attempt('descriptions', () => follow().then(() => descriptions?.load()));
      for (const provider of providers)
        await attempt(provider.path, async () => {
          const report = provider.restore ? await provider.restore() : await provider.start();
          started.add(provider);
          return report;
        });
      registerLast();
      return {
        restored: [...new Set(reports.flatMap(({ restored }) => restored))].sort(),
        shadowed: reports.flatMap(({ shadowed }) => shadowed),
        missing: reports.flatMap(({ missing }) => missing),
        changed: reports.flatMap(({ changed }) => changed),
        failed: [...reports.flatMap(({ failed }) => failed), ...failures],
      };
    },
    clear: () => registry.clear(dynamicProvider),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () =>
      (stopping ??= (async () => {
        for (const stop of stops) stop();
        for (const provider of providers.toReversed()) await provider.stop();
        registry.batch((draft) => {
          for (const tool of lifecycleTools)
            if (registry.get(tool.name) === tool) draft.unregister(tool.name, lifecycleProvider);
        });
      })()),
  };
}

const noParts: readonly never[] = Object.freeze([]);

/** Concatenates lists, and returns the same array as long as all lists are the same objects. */
function createGatherer<Part>(
  lists: () => readonly (readonly Part[])[],
  keyOf: (part: Part) => string,
): () => readonly Part[] {
  let known: { readonly of: readonly (readonly Part[])[]; readonly all: readonly Part[] } | undefined;
  return () => {
    const now = lists();
    if (known && now.every((list, index) => list === known?.of[index])) return known.all;
    const all = Object.freeze(now.flat().sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0)));
    known = { of: now, all };
    return all;
  };
}

const table: OptionTable<RegistrarOptions> = {
  registry: required(described<ToolRegistry>('the ToolRegistry that receives the tools', toolRegistryKind)),
  providers: required(custom('an array of providers', Array.isArray)),
  catalog: objectWith<Catalog>('a catalog of createCatalog', 'entry'),
  descriptions: objectWith<DescriptionStore>('a DescriptionStore', 'description', 'addBumper'),
};

function checkProviders(providers: readonly ToolProvider[]): void {
  const refuse = (message: string): never => {
    throw invalidOption(`createRegistrar: ${message}`);
  };
  const names = new Set<string>();
  for (const { path, lifecycleTools } of providers) {
    if (path !== dynamicProvider && !path.startsWith(`${dynamicProvider}/`))
      refuse(`the provider ${JSON.stringify(path)} is not under ${dynamicProvider}`);
    for (const { name } of lifecycleTools) {
      if (names.has(name)) refuse(`two providers have a lifecycle tool named ${name}`);
      names.add(name);
    }
  }
}
