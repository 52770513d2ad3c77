import { isRecord } from '@haft/core/options';
import { createSecretReplacer } from './replace-secrets.ts';

const hidden = '[redacted]';

/** Creates a function that replaces secrets in all strings of a JSON value. */
export function createMessageRedactor(secrets: readonly string[]): (value: unknown) => unknown {
  const replace = createSecretReplacer(secrets, hidden);
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return replace(value);
    if (Array.isArray(value)) return value.map(redact);
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [replace(name), redact(member)]))
      : value;
  };
  return redact;
}
