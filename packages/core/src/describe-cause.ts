/**
 * Returns the message of any thrown value. If it gives no reason (`fetch failed`, an empty text), the message of its
 * own cause follows. Never throws.
 *
 * @example
 * import { describeCause } from '@haft/core/results';
 * describeCause(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') })); // => 'fetch failed: getaddrinfo ENOTFOUND'
 */
export function describeCause(cause: unknown): string {
  try {
    const message = messageOf(cause) ?? String(cause);
    const inner = tellsNoReason(message) ? messageOf((cause as Partial<Error> | null | undefined)?.cause) : undefined;
    if (inner === undefined || inner === '') return message === '' ? nameOf(cause) : message;
    return message === '' ? inner : `${message}: ${inner}`;
  } catch {
    return 'something that cannot be shown was thrown';
  }
}

function messageOf(thrown: unknown): string | undefined {
  const message: unknown = (thrown as Partial<Error> | null | undefined)?.message;
  if (typeof message !== 'string') return undefined;
  // Node tries each address of a host, and its error for all failed attempts has no message.
  const [first]: readonly unknown[] = message === '' && thrown instanceof AggregateError ? thrown.errors : [];
  return first === undefined ? message : messageOf(first);
}

/** `fetch` reports every failure of the network with these words. */
function tellsNoReason(message: string): boolean {
  return message === '' || message === 'fetch failed' || message === 'terminated';
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name} without a message` : '';
}
