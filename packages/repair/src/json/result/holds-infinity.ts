import type { JsonValue } from './json-value.ts';

/** Returns whether a value contains a number that was too large for a double, so that its spelling is lost. */
export function holdsInfinity(value: JsonValue): boolean {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number' && !Number.isFinite(next)) return true;
    if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next) as readonly JsonValue[]) pending.push(member);
  }
  return false;
}
