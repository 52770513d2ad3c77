import { type Logger } from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { FoundPlugin } from '../../plugin/definition/find-plugin.ts';
import { importPlugin } from '../../files/import-plugin-file.ts';
import type { LoadedPlugin } from '../../plugin/loaded-plugin.ts';
import { createPluginFromExport, type PluginFallback } from '../../plugin/create-plugin-from-export.ts';
import type { ModuleVersion } from '../../files/module-versions.ts';
import type { LoadProblem } from '../../plugin-report.ts';
import { takePlugin, type TakenPlugin } from '../../plugin/take-plugin.ts';
import { within } from './within-time.ts';

/** How to load a plugin into this program. */
export interface InlineOptions {
  readonly id: string;
  readonly version: ModuleVersion;
  readonly fallback: PluginFallback;
  readonly loadTimeoutMs: number;
  readonly logger: Logger;
  /** Cancels the load. */
  readonly signal: AbortSignal;
}

/** Loads a plugin into this program's process, where it has all rights of the program. */
export async function loadInline(found: FoundPlugin, options: InlineOptions): Promise<LoadedPlugin | LoadProblem> {
  const { version, fallback, loadTimeoutMs, signal } = options;
  const imported = await importPlugin(version, loadTimeoutMs, signal);
  if ('phase' in imported) return imported;
  const taken = takePlugin(imported.exported, imported.named);
  if (typeof taken === 'string') return { phase: 'validate', file: found.entry, message: taken };
  const made = createPluginFromExport(taken, fallback);
  if ('phase' in made) return { file: found.entry, ...made };
  const leaving = new AbortController();
  const plugin: LoadedPlugin = {
    ...made,
    isolation: 'inline',
    dispose: (timeoutMs) => {
      leaving.abort();
      return disposeOf(taken, timeoutMs);
    },
  };
  const problem = await setUp(taken, leaving.signal, options);
  if (problem === undefined) return plugin;
  void plugin.dispose(loadTimeoutMs);
  return { phase: 'setup', file: found.entry, message: problem };
}

async function setUp(
  { setup }: TakenPlugin,
  signal: AbortSignal,
  { id, loadTimeoutMs, logger }: InlineOptions,
): Promise<string | undefined> {
  if (!setup) return undefined;
  try {
    const inTime = await within(loadTimeoutMs, Promise.resolve(setup({ id, signal, logger })));
    return inTime ? undefined : `setup did not end within ${loadTimeoutMs} ms`;
  } catch (error) {
    return `setup threw: ${describeCause(error)}`;
  }
}

/** Calls the plugin's `dispose`. Resolves to the reason if it failed. */
async function disposeOf({ dispose }: TakenPlugin, timeoutMs: number): Promise<string | undefined> {
  if (!dispose) return undefined;
  try {
    const inTime = await within(timeoutMs, Promise.resolve(dispose()));
    return inTime ? undefined : `dispose did not end within ${timeoutMs} ms`;
  } catch (error) {
    return `dispose threw: ${describeCause(error)}`;
  }
}
