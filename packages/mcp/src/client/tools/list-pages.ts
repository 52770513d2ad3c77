import type { Client } from '@modelcontextprotocol/client';
import { anyResult } from '../../any-result.ts';
import type { Report } from '../../connection-diagnostic.ts';

/** How far a list is followed. */
export interface ListLimits {
  readonly maxPages: number;
  /** Items that are read. */
  readonly maxItems: number;
  /** Milliseconds a page may take. */
  readonly timeoutMs: number;
}

/** What is listed. */
export interface PagedList<Item> {
  readonly method: string;
  /** Member of the answer that holds the items, which is also what they are called in diagnostics. */
  readonly member: string;
  /** Reads an item; nothing for what is none. */
  readonly read: (item: unknown) => Item | undefined;
  /** What no two items share. */
  readonly keyOf: (item: Item) => string;
  /** Is told of items whose key another one of the same page has. */
  readonly onDuplicate?: (item: Item) => void;
}

/**
 * Reads all pages of a list, empty ones among them. A cursor that comes back, or too many pages, end the walk: what was read so far
 * is used, and a diagnostic says so. Of two items with one key the first is kept.
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
    const ofPage = new Set<string>();
    const given = (answer as Readonly<Record<string, unknown>>)[member];
    for (const one of Array.isArray(given) ? (given as readonly unknown[]) : []) {
      const item = read(one);
      if (item === undefined) continue;
      const key = keyOf(item);
      if (ofPage.has(key)) list.onDuplicate?.(item);
      ofPage.add(key);
      if (items.has(key)) continue;
      if (items.size < limits.maxItems) items.set(key, item);
      else skipped += 1;
    }
    const next = (answer as { readonly nextCursor?: unknown }).nextCursor;
    if (items.size >= limits.maxItems && (skipped > 0 || typeof next === 'string')) {
      report({
        kind: 'endless-list',
        message: `the list has more than ${limits.maxItems} ${member}, the most that are taken; the others are left out`,
      });
      break;
    }
    if (typeof next !== 'string') break;
    const isRepeated = cursors.has(next);
    if (isRepeated || page >= limits.maxPages) {
      const why = isRepeated ? 'goes round in circles' : `does not end after ${page} pages`;
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
