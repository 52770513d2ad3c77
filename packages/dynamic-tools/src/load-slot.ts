import { describeCause } from '@haft/core';
import { realpathSync } from 'node:fs';
import { findPlugin } from './find-plugin.ts';
import { importPlugin } from './import-plugin.ts';
import { createModuleVersion } from './module-versions.ts';
import type { LoadProblem } from './plugin-report.ts';
import type { PluginSlot } from './plugin-slot.ts';
import { readPlugin, type ReadPlugin } from './read-plugin.ts';
import { printFiles, type FilesPrint } from './settled-files.ts';

/** How plugins are loaded. */
export interface LoadOptions {
  readonly loadTimeoutMs: number;
  readonly hostPackages: readonly string[];
  /** Gives up on what is being loaded. */
  readonly signal: AbortSignal;
}

/** What came of a load: `torn` when files were written while they were read. */
export type LoadOutcome = 'absent' | 'torn' | LoadProblem | { readonly plugin: ReadPlugin; readonly entry: string };

const idPattern = /^[A-Za-z0-9@][A-Za-z0-9._@-]{0,63}$/;

/** Loads the plugin at a slot, whose files had this print a moment ago, and notes which files that takes. Changes nothing else. */
export async function loadSlot(slot: PluginSlot, print: FilesPrint, options: LoadOptions): Promise<LoadOutcome> {
  const found = await findPlugin(slot.path);
  if (found === 'absent') return 'absent';
  if (!idPattern.test(slot.id)) {
    return {
      phase: 'discover',
      message: 'its name can not be a plugin id; expected letters, digits, ".", "_" or "-", such as "weather"',
    };
  }
  if ('phase' in found) return found;
  const version = createModuleVersion(realPath(found.entry), options.hostPackages);
  slot.files = version.files;
  const imported = await importPlugin(version, options.loadTimeoutMs, options.signal);
  const after = await printFiles(realPath(slot.path));
  if ([...version.files].some((file) => print.stamps.get(file) !== after.stamps.get(file))) return 'torn';
  if ('phase' in imported) return imported;
  const fallback = { ...found, name: found.name ?? slot.id };
  const plugin = tryToRead(imported.exported, fallback);
  return 'phase' in plugin ? { file: found.entry, ...plugin } : { plugin, entry: found.entry };
}

/** Modules are known by their real paths, whatever links lead to them; a path to nothing stays what it is. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What a plugin exports may throw when it is looked at. */
function tryToRead(exported: unknown, fallback: { readonly name: string }): ReadPlugin | LoadProblem {
  try {
    return readPlugin(exported, fallback);
  } catch (error) {
    return {
      phase: 'validate',
      message: `its default export can't be read: ${describeCause(error)}`,
    };
  }
}
