import { cleanText } from '@haft/sandbox';

const maxDepth = 64;

/**
 * Removes hidden characters from every string of a JSON value. Member names stay unchanged, because answers refer to
 * them.
 *
 * @throws Error if a member name holds hidden characters or the value is nested too deeply.
 */
export function cleanValue<Value>(value: Value): Value {
  return clean(value, 0) as Value;
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw new Error(`the request is nested more than ${maxDepth} levels deep`);
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  const members = Object.entries(value).map(([name, member]) => {
    if (cleanText(name) !== name) throw new Error('the request has a member name with hidden characters');
    return [name, clean(member, depth + 1)] as const;
  });
  return Object.fromEntries(members);
}
