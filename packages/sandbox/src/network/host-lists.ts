import { isAddressIn, isAddressRange } from './addresses.ts';

/** A compiled list of hosts and addresses. */
export interface HostList {
  hasHost(hostname: string, port: number): boolean;
  hasAddress(address: string): boolean;
}

/**
 * Compiles a list of hosts (`example.com`, or `*.example.com` for its subdomains, both optionally with `:port`),
 * addresses and ranges (`10.1.0.0/16`, `fd00::/8`).
 *
 * @throws TypeError if an entry is invalid.
 */
export function compileHosts(entries: readonly string[]): HostList {
  const ranges = entries.filter(isAddressRange);
  const hosts = entries.filter((entry) => !isAddressRange(entry)).map(parseHost);
  return {
    hasHost: (hostname, port) =>
      hosts.some(
        (host) =>
          (host.port === undefined || host.port === port) &&
          (host.isSubdomain ? hostname.endsWith(`.${host.name}`) : hostname === host.name),
      ),
    hasAddress: (address) => ranges.some((range) => isAddressIn(address, range)),
  };
}

interface ParsedHost {
  readonly name: string;
  readonly isSubdomain: boolean;
  readonly port: number | undefined;
}

function parseHost(entry: string): ParsedHost {
  const isSubdomain = entry.startsWith('*.');
  const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/s.exec(isSubdomain ? entry.slice(2) : entry) ?? [];
  const url = URL.parse(`http://${name}/`);
  const isHost = /^[^\s/?#@:*[\]\\]+$/.test(name) && url !== null && url.hostname !== '';
  if (!isHost)
    throw new TypeError(
      `${JSON.stringify(entry)} is neither a host nor an address (expected for example "example.com", "*.example.com" or "10.1.0.0/16")`,
    );
  return { name: normalizeHostname(url.hostname), isSubdomain, port: port === undefined ? undefined : Number(port) };
}

/** Normalizes a host name: lower case, without a trailing dot. */
export function normalizeHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
