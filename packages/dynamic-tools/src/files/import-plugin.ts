import { locateFailure } from './locate-failure.ts';
import { createSourceReader } from './own-files.ts';
import type { ModuleVersion } from './module-versions.ts';
import type { LoadProblem } from '../plugin-report.ts';
import { readThrown } from '../thrown-text.ts';

/** Runs a version's modules and hands back the default export, or what went wrong; takes no longer than `timeoutMs`, nor than the signal. */
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
