import { createMemoryDriver } from '../memory/memory-driver.ts';
import type { DriverSettings } from '../driver-settings.ts';
import type { StoreDriver } from '../store-driver.ts';
import { parseStoreUrl } from './store-url.ts';

/** Opens what a URL names. Databases are loaded when they are asked for, so that one doesn't pay for the other. */
export async function openDriver(url: string, settings: DriverSettings): Promise<StoreDriver> {
  const place = parseStoreUrl(url);
  if (place.kind === 'memory') return createMemoryDriver();
  if (place.kind === 'sqlite') {
    const { openSqliteDriver } = await import('../sqlite/sqlite-driver.ts');
    return openSqliteDriver(place.path, settings);
  }
  const { openPostgresDriver } = await import('../postgres/postgres-driver.ts');
  return openPostgresDriver(place.url, settings);
}
