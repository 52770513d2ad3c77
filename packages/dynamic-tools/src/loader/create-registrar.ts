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

/** What {@link createRegistrar} takes. */
export interface RegistrarOptions {
  readonly registry: ToolRegistry;
  /** Where tools come from while the program runs: plugins, generated tools, connections. Started in this order. */
  readonly providers: readonly ToolProvider[];
  /** Storage that survives a restart, for `descriptions`; providers get their own from their creator. */
  readonly catalog?: Catalog;
  /**
   * Descriptions that replace those of tools, backed by `catalog.descriptions`: read at the start and after changes by
   * other hosts.
   */
  readonly descriptions?: DescriptionStore;
}

/** Ties providers and a catalog to a registry. */
export interface Registrar {
  /**
   * Starts every provider and brings back what it kept; any number of times. One that can't be started is in `failed`, by
   * its path, and hinders no other. Lifecycle tools come last.
   */
  restore(): Promise<RestoreReport>;
  /** Tools that manage others, of all providers. */
  readonly lifecycleTools: readonly AnyTool[];
  /** Prompts that providers bring besides tools, sorted by name; of one name, the first provider's come first. The same list until one comes or goes. */
  prompts(): readonly Prompt[];
  /** Resources that providers bring besides tools, sorted by URI; of one URI, the first provider's come first. The same list until one comes or goes. */
  resources(): readonly Resource[];
  /** Hooks of the providers that bring some, in their order: `middleware` for a dispatcher, and `turnHooks` for a loop. */
  readonly hooks: readonly (DispatchMiddleware & TurnHooks)[];
  /** Unregisters every tool that was added at run time. Built-in tools, lifecycle tools and stored entries stay. */
  clear(): void;
  /** Tells when tools, prompts or resources came or went; returns how to stop listening. */
  onChange(listener: () => void): () => void;
  /** Ends every provider, the last one first. */
  stop(): Promise<void>;
}

/** Provider path above all tools that come while a program runs. */
const dynamicProvider = 'dynamic';

/**
 * Makes a registrar; nothing happens before `restore()`.
 *
 * @throws PluginError `INVALID_OPTION` without a registry, and for providers that share a lifecycle tool's name or have a
 * path outside of `dynamic`.
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

  /** Registers again what manages tools, after all others; a batch only where one is missing. */
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
      // What can't be read stays as it was.
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

/** Puts lists together and keeps what came of it for as long as all of them are the same. */
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
