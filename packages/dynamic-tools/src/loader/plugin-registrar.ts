import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { type AnyTool, type ToolRegistry } from '@haft/core';
import { lifecycleProvider } from '@haft/core/registry';
import { describeCause } from '@haft/core/results';
import { describeHolder, findNameConflict, isShadowable } from '../name-conflicts.ts';
import { createServedParts, type ServedParts } from './served-parts.ts';
import { findPartConflict, holderOfPart } from './part-conflicts.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { LoadProblem, PluginEvent, PluginFailure } from '../plugin-report.ts';
import { infoOf, type Blocked, type PluginSlot } from './slot/plugin-slot.ts';
import { createPluginVersion, type PluginVersion, type RetireLimits } from './slot/plugin-version.ts';

/** Options of the plugin registrar. */
export interface PluginRegistrarOptions {
  readonly registry: ToolRegistry;
  readonly lifecycleTools: readonly AnyTool[];
  readonly mayShadow: readonly string[];
  readonly limits: RetireLimits;
  readonly emit: (event: PluginEvent) => void;
  /** Makes the path of a file and a message suitable for a model. */
  readonly shorten: (text: string) => string;
}

/** Registers the tools of plugins. Only this module changes them in the registry. */
export interface PluginRegistrar {
  readonly slots: Map<string, PluginSlot>;
  /** The prompts, resources and hooks of the loaded plugins. */
  readonly parts: ServedParts;
  /** Registers only the lifecycle tools. */
  open(): void;
  /**
   * Replaces the current version with a loaded plugin, in one batch that ends with the lifecycle tools. The old version
   * retires by itself. With `byId`, a name that two plugins claim belongs to the plugin whose id sorts first.
   */
  serve(slot: PluginSlot, plugin: LoadedPlugin, entry: string, byId: boolean): void;
  /**
   * Reports why a plugin's newest version can't be used. Without `isNews`, skips failures that were already reported.
   */
  fail(slot: PluginSlot, problem: LoadProblem, isNews?: boolean): void;
  /** Unregisters a disabled plugin. */
  suspend(slot: PluginSlot, problem: LoadProblem): void;
  /** Unregisters a plugin whose files are gone. */
  remove(slot: PluginSlot): void;
  /** Returns the slots that were waiting for a name that is now available. */
  unblocked(): readonly PluginSlot[];
  /** Unregisters everything. Resolves when all versions have been disposed of. */
  close(): Promise<void>;
}

export function createPluginRegistrar(options: PluginRegistrarOptions): PluginRegistrar {
  const { registry, lifecycleTools, mayShadow, limits, emit, shorten } = options;
  const slots = new Map<string, PluginSlot>();
  const { invalidate, ...parts } = createServedParts(slots);
  const setCurrent = (slot: PluginSlot, version: PluginVersion | undefined): void => {
    slot.current = version;
    invalidate();
  };
  const endings = new Set<Promise<unknown>>();
  const reserved = lifecycleTools.map((tool) => tool.name);

  /** Registers the current tools of a provider, followed by the lifecycle tools, in one batch. */
  const register = (provider?: string, tools: readonly AnyTool[] = []): void => {
    registry.batch((draft) => {
      if (provider !== undefined) draft.clear(provider);
      for (const tool of tools) draft.registerWithProvider(tool, provider ?? '');
      for (const name of reserved) draft.unregister(name, lifecycleProvider);
      for (const tool of lifecycleTools) draft.registerLifecycle(tool);
    });
  };

  const fail: PluginRegistrar['fail'] = (slot, { phase, message, file = '', line }, isNews = true) => {
    const failure: PluginFailure = {
      id: slot.id,
      phase,
      message: shorten(message).slice(0, 1_000),
      file: shorten(file).replaceAll(sep, '/'),
      ...(line === undefined || line < 1 ? {} : { line }),
    };
    const isKnownAlready = slot.failure !== undefined && isSame(slot.failure, failure);
    // A failure to dispose of the old version does not concern the current version.
    if (phase !== 'dispose') slot.failure = failure;
    if (phase !== 'dispose' && phase !== 'register') slot.blocked = undefined;
    if (isNews || !isKnownAlready) emit({ type: 'failed', failure, serving: slot.current !== undefined });
  };

  /** Disposes of a version that was loaded but can't be used. */
  const refuse = (slot: PluginSlot, plugin: LoadedPlugin, file: string, reason: string, blocked: Blocked): void => {
    slot.blocked = blocked;
    track(plugin.dispose(limits.disposeTimeoutMs));
    fail(slot, { phase: 'register', message: reason, file });
  };

  const withdraw = (slot: PluginSlot): void => {
    const { current } = slot;
    if (!current) return;
    setCurrent(slot, undefined);
    register(slot.provider);
    retire(slot, current);
  };

  function retire(slot: PluginSlot, version: PluginVersion): void {
    const end = async (): Promise<void> => {
      const problem = await version.retire();
      if (problem !== undefined) fail(slot, { phase: 'dispose', message: problem });
      emit({ type: 'disposed', id: slot.id, revision: version.revision });
    };
    track(end());
  }

  function track(ending: Promise<unknown>): void {
    const tracked: Promise<unknown> = ending.finally(() => endings.delete(tracked));
    endings.add(tracked);
  }

  /** Makes the plugin's names available, or returns the owner of a name that is taken. */
  function findObstacle(slot: PluginSlot, plugin: LoadedPlugin, byId: boolean): Blocked | undefined {
    const names = plugin.tools.map((tool) => tool.name);
    for (;;) {
      const conflict =
        findNameConflict(registry, slot.provider, names, reserved, mayShadow) ??
        findPartConflict(slots.values(), slot, plugin);
      if (!conflict) return undefined;
      const rival = [...slots.values()].find((other) => other.provider === conflict.holder && other.current);
      if (!rival || !byId || rival.id < slot.id) return conflict;
      withdraw(rival);
      const blocked = { ...conflict, holder: slot.provider };
      rival.blocked = blocked;
      fail(rival, { phase: 'register', message: takenBy(blocked) });
    }
  }

  return {
    slots,
    parts,
    open: () => register(),
    fail,
    serve(slot, plugin, entry, byId) {
      const twin = [...slots.values()].find((other) => other !== slot && other.id === slot.id && other.current);
      if (twin) return refuse(slot, plugin, entry, `${twin.segment} has the same id`, { name: '', holder: twin.path });
      const obstacle = findObstacle(slot, plugin, byId);
      if (obstacle) return refuse(slot, plugin, entry, takenBy(obstacle), obstacle);
      const before = slot.current;
      const version = createPluginVersion(plugin, slot.revision + 1, limits, () => slot.current);
      // Listeners of the batch must see the prompts, resources and hooks of the same version.
      setCurrent(slot, version);
      try {
        register(slot.provider, version.tools);
      } catch (error) {
        setCurrent(slot, before);
        return refuse(slot, plugin, entry, describeCause(error), { name: '', holder: '' });
      }
      slot.revision += 1;
      slot.failure = undefined;
      slot.blocked = undefined;
      emit({ type: before ? 'replaced' : 'loaded', plugin: infoOf(slot) });
      if (plugin.missingGrants !== undefined) emit({ type: 'not-granted', id: slot.id, message: plugin.missingGrants });
      if (before) retire(slot, before);
    },
    suspend(slot, problem) {
      withdraw(slot);
      fail(slot, problem, false);
    },
    remove(slot) {
      slots.delete(slot.segment);
      const wasKnown = slot.current ?? slot.failure;
      withdraw(slot);
      if (wasKnown) emit({ type: 'removed', id: slot.id });
    },
    unblocked() {
      return [...slots.values()].filter(({ blocked }) => {
        if (!blocked) return false;
        if (blocked.part !== undefined)
          return holderOfPart(slots.values(), blocked.part, blocked.name) !== blocked.holder;
        if (blocked.name === '') return !existsSync(blocked.holder);
        return registry.providerFor(blocked.name) !== blocked.holder;
      });
    },
    async close() {
      const served = [...slots.values()].filter((slot) => slot.current);
      registry.batch((draft) => {
        for (const slot of served) draft.clear(slot.provider);
        for (const name of reserved) draft.unregister(name, lifecycleProvider);
      });
      for (const slot of served) {
        const { current } = slot;
        setCurrent(slot, undefined);
        if (current) retire(slot, current);
      }
      await Promise.all(endings);
      slots.clear();
    },
  };
}

function isSame(one: PluginFailure, other: PluginFailure): boolean {
  return (
    one.phase === other.phase && one.message === other.message && one.file === other.file && one.line === other.line
  );
}

function takenBy({ part, name, holder }: Blocked): string {
  const remedy = part === undefined && isShadowable(holder) ? `, or list ${JSON.stringify(name)} in mayShadow` : '';
  return `the ${part ?? 'tool name'} ${name} is taken by ${describeHolder(holder)}; choose another name${remedy}`;
}
