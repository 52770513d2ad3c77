import { isJsonObject, type JsonValue } from '../result/json-value.ts';
import { createRepair } from '../result/create-repair.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import type { RepairSuccess } from '../result/repair-result.ts';

/** Asks the caller's reader if the text can't be read otherwise. Its answer never counts as complete. */
export function askFallback(text: string, { fallback, root, limits }: RepairOptions): RepairSuccess | undefined {
  const value = fallback?.(text);
  const isWanted = isJsonObject(value) || (Array.isArray(value) && root !== 'object');
  if (!isWanted || isDeeperThan(limits?.depth ?? 1_000, value)) return undefined;
  const repairs = [createRepair(text, 'last-resort', 'lossy', 0, text.length, JSON.stringify(value))];
  return { ok: true, value, risk: 'lossy', complete: false, repairs };
}

/** Returns whether containers are nested more than `most` levels deep. */
export function isDeeperThan(most: number, value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((part) => typeof part === 'object' && part !== null);
    if (containers.length > 0 && depth >= most) return true;
    level = containers.flatMap((part) => Object.values(part) as readonly JsonValue[]);
  }
  return false;
}
