/**
 * A host as a browser would read it: lower case, in the ASCII form, numbers of every spelling as an address, without the dot
 * at its end. `undefined` for what is none.
 */
export function normalizeHost(text: string): string | undefined {
  // What stands before or behind a host would be taken for another one.
  if (/[/\\@?#\s]/.test(text)) return undefined;
  try {
    return plainHost(new URL(`http://${text}/`).hostname);
  } catch {
    return undefined;
  }
}

/** The host that a URL leads to, as whoever opens it reads it; `undefined` for what is no URL with a host. */
export function hostOfUrl(text: string): string | undefined {
  try {
    const { hostname, protocol } = new URL(text);
    // Only web schemes are brought into one form by the parser itself.
    return /^(?:https?|wss?|ftp|file):$/.test(protocol)
      ? plainHost(hostname)
      : hostname === ''
        ? undefined
        : normalizeHost(decodeURIComponent(hostname));
  } catch {
    return undefined;
  }
}

function plainHost(hostname: string): string | undefined {
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname);
  if (mapped) return toAddress(parseInt(mapped[1]!, 16), parseInt(mapped[2]!, 16));
  const host = hostname.replace(/\.+$/, '');
  return host === '' ? undefined : host;
}

function toAddress(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
