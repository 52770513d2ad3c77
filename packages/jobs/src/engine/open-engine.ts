import type { Engine } from './engine.ts';
import { parseJobsUrl } from './jobs-url.ts';

/**
 * Opens the database that a URL names. Loads only the packages that it needs.
 *
 * @param tables - identifies the tables that a new embedded database may already have.
 * @param onSlow - receives a message before an embedded database is created, if that takes many seconds.
 */
export async function openEngine(
  url: string,
  timeoutMs: number,
  tables = '',
  onSlow?: (message: string) => void,
): Promise<Engine> {
  const location = parseJobsUrl(url);
  if (location.kind === 'postgres') {
    const { openPostgresEngine } = await import('./postgres-engine.ts');
    return openPostgresEngine(location.url, timeoutMs);
  }
  const { openPgliteEngine } = await import('./pglite-engine.ts');
  return openPgliteEngine(location.kind === 'directory' ? location.path : undefined, tables, onSlow);
}
