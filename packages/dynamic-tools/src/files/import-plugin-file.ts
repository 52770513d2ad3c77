import { locateFailure } from './locate-failure-in-files.ts';
import { createSourceReader } from './plugin-own-files.ts';
import type { ModuleVersion } from './module-versions.ts';
import type { LoadProblem } from '../plugin-report.ts';
import { readThrown } from '../thrown-text.ts';

/** The default export of a plugin, and the names of all its exports. */
export interface ImportedPlugin {
  readonly exported: unknown;
  readonly named: readonly string[];
}

/**
 * Imports a version's modules. Resolves to the default export, or to what went wrong. Stops at `timeoutMs` or when the
 * signal aborts.
 */
export async function importPlugin(
  version: ModuleVersion,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ImportedPlugin | LoadProblem> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp = (): void => undefined;
  const timeout = new Promise<LoadProblem>((resolve) => {
    const [entry] = version.files;
    const message = `it did not finish loading within ${timeoutMs} ms: a top-level await never settles`;
    giveUp = (): void => resolve({ phase: 'import', message, ...(entry === undefined ? {} : { file: entry }) });
    timer = setTimeout(giveUp, timeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    const importing = version
      .import()
      .then((exports) => ({ exported: exports['default'], named: Object.keys(exports) }));
    return await Promise.race([importing, timeout]);
  } catch (error) {
    return {
      phase: 'import',
      ...(await locateFailure(readThrown(error), version.files, createSourceReader('unrestricted'))),
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
