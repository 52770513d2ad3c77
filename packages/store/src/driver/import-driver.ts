import { StoreError } from '../store-error.ts';

/**
 * Imports a database package, which users install themselves. Rejects with `DRIVER_MISSING` if it is not installed, and
 * with `UNAVAILABLE` if it cannot be loaded.
 */
export async function importDriver<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (isMissing(cause, name))
      throw new StoreError('DRIVER_MISSING', `the package ${name} is not installed; run npm install ${name}`, {
        cause,
      });
    throw new StoreError('UNAVAILABLE', `the package ${name} cannot be loaded: ${String(cause)}`, { cause });
  }
}

/** A package that lacks one of its own dependencies is broken, not missing. */
function isMissing(error: unknown, name: string): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' && String(error).includes(`'${name}'`);
}
