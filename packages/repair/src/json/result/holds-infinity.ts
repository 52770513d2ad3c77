import type { JsonValue } from './json-value.ts';

/**
 * Returns whether a value contains a number that was too large for a double, so that its spelling is lost. Every valid
 * text is checked, so a walk over the value has to cost little compared with parsing it.
 */
export function holdsInfinity(root: JsonValue): boolean {
  if (typeof root !== 'object' || root === null) return isInfinite(root);
  const pending: object[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      for (let index = 0; index < next.length; index += 1) {
        const item = next[index] as JsonValue;
        // Most values are strings.
        if (typeof item === 'string') continue;
        if (typeof item === 'object' && item !== null) pending.push(item);
        else if (isInfinite(item)) return true;
      }
      continue;
    }
    for (const key in next) {
      const member = (next as { readonly [key: string]: JsonValue })[key];
      if (typeof member === 'string') continue;
      if (typeof member === 'object' && member !== null) pending.push(member);
      else if (isInfinite(member)) return true;
    }
  }
  return false;
}

const isInfinite = (value: JsonValue | undefined): boolean => typeof value === 'number' && !Number.isFinite(value);
