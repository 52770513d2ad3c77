import { createMemoryDriver } from './memory-driver.ts';
import type { NoticeListener } from './notice.ts';
import type { StoreDriver } from './store-driver.ts';
import { parseStoreUrl } from './store-url.ts';

/** What a driver has to know beside its place. */
export interface DriverSettings {
  readonly timeoutMs: number;
  readonly onCorrupt: 'set-aside' | 'fail';
  readonly notify: NoticeListener;
}

/** Opens what a URL names. Databases are loaded when they are asked for, so that one doesn't pay for the other. */
export async function openDriver(url: string, settings: DriverSettings): Promise<StoreDriver> {
  const place = parseStoreUrl(url);
  if (place.kind === 'memory') return createMemoryDriver();
  if (place.kind === 'sqlite') {
    const { openSqliteDriver } = await import('./sqlite/sqlite-driver.ts');
    return openSqliteDriver(place.path, settings);
  }
  const { openPostgresDriver } = await import('./postgres/postgres-driver.ts');
  return openPostgresDriver(place.url, settings);
}
