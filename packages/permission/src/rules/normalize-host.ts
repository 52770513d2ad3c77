/**
 * Normalizes a host as a browser does: lower case, ASCII form, numeric spellings as an address, no final dot. Returns
 * `undefined` for text that is not a host.
 */
export function normalizeHost(text: string): string | undefined {
  // Text before or after the host would change which host it is.
  if (/[/\\@?#\s]/.test(text)) return undefined;
  try {
    return plainHost(new URL(`http://${text}/`).hostname);
  } catch {
    return undefined;
  }
}

/** Returns the host that a client connects to for this URL; `undefined` if the text is not a URL with a host. */
export function hostOfUrl(text: string): string | undefined {
  try {
    const { hostname, protocol } = new URL(text);
    // The URL parser normalizes only web schemes.
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
