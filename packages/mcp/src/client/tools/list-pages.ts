import type { Client } from '@modelcontextprotocol/client';
import { describeCause } from '@haft/core/results';
import { anyResult } from '../../any-result.ts';
import type { Report } from '../../connection-diagnostic.ts';

/** Limits on reading a list. */
export interface ListLimits {
  readonly maxPages: number;
  /** Maximum number of items. */
  readonly maxItems: number;
  /** Milliseconds that one page may take. */
  readonly timeoutMs: number;
}

/** A paginated list of the protocol. */
export interface PagedList<Item> {
  readonly method: string;
  /** Member of the result that holds the items; also names them in diagnostics. */
  readonly member: string;
  /** Reads an item. Returns undefined if it is invalid. */
  readonly read: (item: unknown) => Item | undefined;
  /** Returns the unique key of an item. */
  readonly keyOf: (item: Item) => string;
  /** Called for each repeated key within one page. */
  readonly onDuplicate?: (item: Item) => void;
}

/**
 * Reads all pages of a list. A repeated cursor or too many pages end the list with a diagnostic; the items read so far
 * are used. The first of two items with the same key wins.
 */
export async function listPages<Item>(
  client: Client,
  list: PagedList<Item>,
  limits: ListLimits,
  report: Report,
  signal?: AbortSignal,
): Promise<readonly Item[]> {
  const { method, member, read, keyOf } = list;
  const items = new Map<string, Item>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let skipped = 0;
  for (let page = 1; ; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method, params }, anyResult, {
      timeout: limits.timeoutMs,
      ...(signal ? { signal } : {}),
    });
    const pageKeys = new Set<string>();
    const entries = (answer as Readonly<Record<string, unknown>>)[member];
    if (!Array.isArray(entries))
      report({
        kind: 'list-failed',
        message: `the server sent no list of ${member}: ${method} returned ${describeCause(entries)}`,
      });
    for (const entry of Array.isArray(entries) ? (entries as readonly unknown[]) : []) {
      const item = read(entry);
      if (item === undefined) continue;
      const key = keyOf(item);
      if (pageKeys.has(key)) list.onDuplicate?.(item);
      pageKeys.add(key);
      if (items.has(key)) continue;
      if (items.size < limits.maxItems) items.set(key, item);
      else skipped += 1;
    }
    const next = (answer as { readonly nextCursor?: unknown }).nextCursor;
    if (items.size >= limits.maxItems && (skipped > 0 || typeof next === 'string')) {
      report({
        kind: 'endless-list',
        message: `the list has more than ${limits.maxItems} ${member}; the rest are skipped`,
      });
      break;
    }
    if (typeof next !== 'string') break;
    const isRepeated = cursors.has(next);
    if (isRepeated || page >= limits.maxPages) {
      const why = isRepeated ? 'repeats a page' : `does not end after ${page} pages`;
      report({
        kind: 'endless-list',
        message: `the list of ${member} ${why}; the ${items.size} ${member} read so far are used`,
      });
      break;
    }
    cursors.add(next);
    cursor = next;
  }
  return [...items.values()];
}
