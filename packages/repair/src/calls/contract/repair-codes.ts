import type { Repair } from '../../json/result/repair-result.ts';

const known = new WeakMap<readonly Repair[], ReadonlySet<string>>();

/** Returns the codes of a list of repairs. Cached by list, because all calls of one list share its repairs. */
export function codesOf(repairs: readonly Repair[]): ReadonlySet<string> {
  const cached = known.get(repairs);
  if (cached !== undefined) return cached;
  const codes = new Set(repairs.map(({ code }) => code));
  known.set(repairs, codes);
  return codes;
}
