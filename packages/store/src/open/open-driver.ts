import { createMemoryDriver } from '../memory/memory-driver.ts';
import type { DriverSettings } from '../driver-settings.ts';
import type { StoreDriver } from '../store-driver.ts';
import { parseStoreUrl } from './store-url.ts';

/** Opens the driver for a URL. Database packages are imported on demand, so that unused ones cost nothing. */
export async function openDriver(url: string, settings: DriverSettings): Promise<StoreDriver> {
  const location = parseStoreUrl(url);
  if (location.kind === 'memory') return createMemoryDriver();
  if (location.kind === 'sqlite') {
    const { openSqliteDriver } = await import('../sqlite/sqlite-driver.ts');
    return openSqliteDriver(location.path, settings);
  }
  const { openPostgresDriver } = await import('../postgres/postgres-driver.ts');
  return openPostgresDriver(location.url, settings);
}
