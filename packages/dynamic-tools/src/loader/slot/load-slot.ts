import type { LoadedPlugin } from '../../plugin/loaded-plugin.ts';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { Logger } from '@haft/core';
import type { PluginCapabilities } from '../../capabilities.ts';
import {
  recallDefinition,
  rememberDefinition,
  type DefinitionStore,
} from '../../plugin/definition/definition-cache.ts';
import { findPlugin } from '../../plugin/definition/find-plugin.ts';
import { loadIsolated, prepareIsolated, type IsolatedOptions } from '../../isolation/load-isolated.ts';
import { loadInline } from './load-inline.ts';
import { createModuleVersion, hostBases } from '../../files/module-versions.ts';
import { createPluginLogger } from './plugin-logger.ts';
import { findNamesake, isExternalLink, isLinkedElsewhere } from '../../files/plugin-path.ts';
import type { LoadProblem } from '../../plugin-report.ts';
import type { PluginSlot } from './plugin-slot.ts';
import { maxEntries, printFiles, type FilesPrint } from '../../files/settled-files.ts';

/** How to load plugins. */
export interface LoadOptions extends Pick<
  IsolatedOptions,
  | 'parts'
  | 'jail'
  | 'hostPackages'
  | 'loadTimeoutMs'
  | 'idleTimeoutMs'
  | 'disposeTimeoutMs'
  | 'limits'
  | 'heapMegabytes'
> {
  /** Returns where a plugin runs. */
  readonly isolationOf: (id: string) => 'inline' | 'process';
  readonly grantsOf: (id: string) => PluginCapabilities;
  readonly isEnabled: (id: string) => boolean;
  /** Whether the program trusts every file in the folder. */
  readonly isFolderTrusted: boolean;
  /** The stored descriptions of plugins. */
  readonly definitions?: DefinitionStore;
  /** Called if a plugin no longer matches its stored description. */
  readonly onStale: (slot: PluginSlot) => void;
  readonly logger: Logger;
  readonly onCrash: (slot: PluginSlot, reason: string, retryAfterMs: number) => void;
  /** Cancels the loads. */
  readonly signal: AbortSignal;
}

/** The outcome of a load. `torn` means that files were written while they were read. */
export type LoadOutcome = 'absent' | 'torn' | LoadProblem | { readonly plugin: LoadedPlugin; readonly entry: string };

const idPattern = /^[A-Za-z0-9@][A-Za-z0-9._@-]{0,63}$/;

/**
 * Loads the plugin at a slot and records the files that it uses. `print` is the fingerprint of the files before the
 * load. Changes nothing else.
 */
export async function loadSlot(slot: PluginSlot, print: FilesPrint, options: LoadOptions): Promise<LoadOutcome> {
  const found = await findPlugin(slot.path);
  if (found === 'absent') return 'absent';
  if (!idPattern.test(slot.id)) {
    return {
      phase: 'discover',
      message: 'its name is not a plugin id (expected letters, digits, ".", "_" or "-", such as "weather")',
    };
  }
  if (print.isTooLarge) {
    return {
      phase: 'discover',
      message: `it contains more than ${maxEntries} files and folders; move its data out of the plugin folder, and don't link to other folders`,
    };
  }
  if ('phase' in found) return found;
  if (!options.isEnabled(slot.id)) return { phase: 'disabled', message: 'it is disabled; enable it in the catalog' };
  const problem = await findPathProblem(slot, found.entry, options);
  if (problem) return problem;
  const { id, path } = slot;
  const { hostPackages, isolationOf, grantsOf, onCrash } = options;
  const logger = createPluginLogger(options.logger, id);
  const fallback = { ...found, name: found.name ?? id };
  const entry = realPath(found.entry);
  slot.capabilities = found.capabilities ?? {};
  let loaded: LoadedPlugin | LoadProblem;
  if (isolationOf(id) === 'inline') {
    const version = createModuleVersion(entry, hostPackages);
    slot.files = version.files;
    loaded = await loadInline(found, { ...options, id, version, fallback, logger });
  } else {
    const granted = grantsOf(id);
    const definitionContext = { id, place: realPath(path), entry, granted, hostPackages };
    const known = slot.isUncertain ? undefined : await recallDefinition(options.definitions, definitionContext);
    const files = new Set(known?.files ?? [entry]);
    slot.files = files;
    loaded = await loadIsolated(found, files, {
      ...options,
      id,
      path,
      fallback,
      logger,
      granted,
      bases: hostBases(),
      onCrash: (reason, retryAfterMs) => onCrash(slot, reason, retryAfterMs),
      described: known?.described,
      onStale: () => options.onStale(slot),
      // The process must not end when idle if its version could not be started again: the files may belong to a newer
      // version.
      mayRest: () => slot.failure === undefined && !slot.isTouched,
    });
    if (!known && !('phase' in loaded)) {
      slot.isUncertain = false;
      void rememberDefinition(options.definitions, definitionContext, [...files], loaded.described);
    }
  }
  const after = await printFiles(realPath(path));
  const isTorn = [...slot.files].some((file) => print.stamps.get(file) !== after.stamps.get(file));
  if (isTorn && !('phase' in loaded)) void loaded.dispose(options.disposeTimeoutMs);
  if (isTorn) return 'torn';
  return 'phase' in loaded ? loaded : { plugin: loaded, entry: found.entry };
}

/** Returns why the path may not contain the plugin that was trusted or granted capabilities. */
async function findPathProblem(
  slot: PluginSlot,
  entry: string,
  { isolationOf, isFolderTrusted }: LoadOptions,
): Promise<LoadProblem | undefined> {
  const { id, path } = slot;
  const namesake = await findNamesake(path);
  if (namesake !== undefined) {
    slot.blocked = { name: '', holder: namesake };
    return {
      phase: 'register',
      message: `${basename(namesake)} has the same id; rename or remove one of them`,
      file: path,
    };
  }
  const isTrusted = isolationOf(id) === 'inline';
  if (isTrusted && !isFolderTrusted && isLinkedElsewhere(path, entry)) {
    const message = 'it is trusted, but a link leads outside; trust covers only files in the folder itself';
    return { phase: 'isolate', message, file: path };
  }
  if (!isTrusted && isExternalLink(path, hostBases())) {
    const message =
      'it is a link that leads outside the folder; an untrusted plugin may only be a link to an installed package';
    return { phase: 'isolate', message, file: path };
  }
  return undefined;
}

/** Prepares for the next load of a plugin: starts everything that takes time and does not depend on its files. */
export function prepareSlot(slot: PluginSlot, options: LoadOptions, isSpare = false): void {
  if (!slot.current || options.isolationOf(slot.id) === 'inline') return;
  const { id, path } = slot;
  void prepareIsolated({ ...options, id, path, granted: options.grantsOf(id), bases: hostBases() }, isSpare);
}

/** Returns the real path, because modules are identified by it. Returns the path itself if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
