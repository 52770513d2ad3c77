import { isRecord } from '../json-value.ts';

const deepest = 400;

/**
 * Returns JSON text with sorted keys, which is equal for equal values. Values deeper than 400 levels count as equal.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > deepest) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (!isRecord(value)) return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? typeof value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key], depth + 1)}`);
  return `{${members.join(',')}}`;
}
