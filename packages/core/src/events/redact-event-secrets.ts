import { mask, namesSecret, redactText } from '../mask-text.ts';

export { redactText } from '../mask-text.ts';

/** Maximum depth and number of members of a copy. They also bound cycles and shared references. */
const deepest = 32;
const maxMembers = 20_000;

/**
 * Copies a value with secrets masked: members whose keys name a secret (`password`, `api_key`, `authorization` …) and
 * secret-like text inside strings. Ignores values that JSON can't represent. Omits levels deeper than 32 and members
 * beyond 20,000. Never throws.
 *
 * @example
 * import { redactSecrets } from '@haft/core';
 * redactSecrets({ user: 'ada', password: 'hunter2' }); // => { user: 'ada', password: '[redacted]' }
 */
export function redactSecrets(value: unknown): unknown {
  try {
    return copy(value, 0, { left: maxMembers });
  } catch {
    return '[unreadable]';
  }
}

function copy(value: unknown, depth: number, members: { left: number }): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[too deep]';
  if (members.left <= 0) return '[too large]';
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (let index = 0; index < value.length && members.left > 0; index += 1) {
      members.left -= 1;
      items.push(copy(value[index], depth + 1, members));
    }
    if (items.length < value.length) items.push(`[${value.length - items.length} more]`);
    return items;
  }
  const record: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if ((members.left -= 1) < 0) break;
    const member = (value as Readonly<Record<string, unknown>>)[key];
    const masked = namesSecret(key) && member !== null && member !== '' ? mask : copy(member, depth + 1, members);
    if (key !== '__proto__') record[key] = masked;
    else Object.defineProperty(record, key, { value: masked, enumerable: true, writable: true, configurable: true });
  }
  return record;
}
