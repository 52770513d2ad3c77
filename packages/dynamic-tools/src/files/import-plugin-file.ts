import { locateFailure } from './locate-failure-in-files.ts';
import { createSourceReader } from './plugin-own-files.ts';
import type { ModuleVersion } from './module-versions.ts';
import type { LoadProblem } from '../plugin-report.ts';
import { readThrown } from '../thrown-text.ts';

/**
 * Imports a version's modules. Resolves to the default export, or to what went wrong. Stops at `timeoutMs` or when the
 * signal aborts.
 */
export async function importPlugin(
  version: ModuleVersion,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ readonly exported: unknown } | LoadProblem> {
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
    return await Promise.race([version.import().then((exports) => ({ exported: exports['default'] })), timeout]);
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
