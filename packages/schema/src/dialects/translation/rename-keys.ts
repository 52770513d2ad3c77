import { isRecord, setOwn } from '../../json-value.ts';

/** Renames keys everywhere in a value. Returns the same value if no key needs a new name. */
export function renameKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (names.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, names));
  if (!isRecord(value)) return value;
  const renamed: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(renamed, names.get(key) ?? key, renameKeys(value[key], names));
  return renamed;
}
