import { isAddressIn, isAddressRange } from './judge-address.ts';

/** Hosts and addresses as a program lists them. */
export interface HostList {
  hasHost(hostname: string, port: number): boolean;
  hasAddress(address: string): boolean;
}

/**
 * Compiles a list of hosts: `example.com`, `*.example.com` (its subdomains), either with `:port`, and addresses and ranges
 * (`10.1.0.0/16`, `fd00::/8`).
 *
 * @throws TypeError for an entry that is none of these.
 */
export function compileHosts(entries: readonly string[]): HostList {
  const ranges = entries.filter(isAddressRange);
  const hosts = entries.filter((entry) => !isAddressRange(entry)).map(parseHost);
  return {
    hasHost: (hostname, port) =>
      hosts.some(
        (host) =>
          (host.port === undefined || host.port === port) &&
          (host.isBelow ? hostname.endsWith(`.${host.name}`) : hostname === host.name),
      ),
    hasAddress: (address) => ranges.some((range) => isAddressIn(address, range)),
  };
}

interface ListedHost {
  readonly name: string;
  readonly isBelow: boolean;
  readonly port: number | undefined;
}

function parseHost(entry: string): ListedHost {
  const isBelow = entry.startsWith('*.');
  const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/s.exec(isBelow ? entry.slice(2) : entry) ?? [];
  const url = URL.parse(`http://${name}/`);
  const isHost = /^[^\s/?#@:*[\]\\]+$/.test(name) && url !== null && url.hostname !== '';
  if (!isHost)
    throw new TypeError(`${JSON.stringify(entry)} is no host such as "example.com" or "*.example.com", and no address`);
  return { name: plainHostname(url.hostname), isBelow, port: port === undefined ? undefined : Number(port) };
}

/** A name as it is compared: a dot at the end says only that it is whole. */
export function plainHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
