import { jsonrepair } from 'jsonrepair';
import { isJsonObject, type JsonValue } from '../result/json-value.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import type { RepairSuccess } from '../result/repair-result.ts';

const maxLength = 16_384;
const maxDepth = 500;
/** Characters times quotes: behind a quote that ends nothing, jsonrepair reads the text from that string on once more. */
const maxWork = 500_000;

/**
 * Asks jsonrepair when no reading of our own holds. It is quadratic and worse, and recursive, so only short and shallow texts
 * with few quotes are put to it, and it closes what was cut without saying so, so its answer never counts as complete.
 */
export function tryLastResort(text: string, options: RepairOptions): RepairSuccess | undefined {
  // Prose alone is no value, whatever could be made of its commas.
  if (!/[{["]/.test(text)) return undefined;
  if (text.length >= maxLength || nestingDepth(text) >= maxDepth || text.length * countQuotes(text) > maxWork)
    return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(jsonrepair(text)) as JsonValue;
  } catch {
    return undefined;
  }
  const isWanted = isJsonObject(value) || (Array.isArray(value) && options.root !== 'object');
  if (!isWanted || isDeeperThan(options.limits?.depth ?? maxDepth, value)) return undefined;
  const found = text.slice(0, 60);
  const assumed = JSON.stringify(value).slice(0, 60);
  const repairs = [{ code: 'last-resort', start: 0, end: text.length, found, assumed, risk: 'lossy' }] as const;
  return { ok: true, value, risk: 'lossy', complete: false, repairs };
}

function isDeeperThan(most: number, value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((part) => typeof part === 'object' && part !== null);
    if (containers.length > 0 && depth >= most) return true;
    level = containers.flatMap((part) => Object.values(part) as readonly JsonValue[]);
  }
  return false;
}

function nestingDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b || code === 0x28) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x7d || code === 0x5d || code === 0x29) depth -= 1;
  }
  return deepest;
}

function countQuotes(text: string): number {
  return text.match(/["'`´‘’“”]/g)?.length ?? 0;
}
