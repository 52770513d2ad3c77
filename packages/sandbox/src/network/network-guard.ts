import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { aFunction, checkOptions, texts } from '../check-given.ts';
import { createFailure, errnoOf, type SandboxFailure } from '../sandbox-failure.ts';
import { compileHosts, plainHostname } from './host-lists.ts';
import { canonicalAddress, judgeAddress } from './judge-address.ts';

/** What a network guard is made with. */
export interface NetworkGuardOptions {
  /**
   * What is open although it is not public: hosts (`intranet.example`, `*.intranet.example`, either with `:port`), addresses
   * and ranges (`10.1.0.0/16`).
   */
  readonly allow?: readonly string[];
  /** What is closed although it is public, in the same form; it outdoes `allow`. */
  readonly deny?: readonly string[];
  /** Finds the addresses of a name. Default: as the system does. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/** A URL that may be fetched, and from where alone. */
export interface GuardedTarget {
  readonly ok: true;
  readonly url: URL;
  /** Every address of the host, each one checked: dial one of these, and resolve the name no more. */
  readonly addresses: readonly string[];
}

/** Says which URLs may be fetched. */
export interface NetworkGuard {
  /**
   * Resolves the host of a URL once and checks every address. `URL_REFUSED` for another scheme than http and https, a user
   * name in it, and places that are not public; `HOST_NOT_FOUND` for a name without addresses.
   */
  check(url: string | URL): Promise<GuardedTarget | SandboxFailure>;
}

/** Names that mean this machine or its network, whatever a resolver makes of them. */
const innerNames = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|onion)$/;

/**
 * Makes a guard that lets nothing through but the public network: no loopback, private, link-local, metadata, carrier,
 * tunnel, multicast or reserved address, in whatever spelling or mapping, and none of this machine's own.
 *
 * @throws TypeError for an entry of `allow` or `deny` that is neither host nor address, and options of another type.
 */
export function createNetworkGuard(options: NetworkGuardOptions = {}): NetworkGuard {
  const members = { allow: texts, deny: texts, resolve: aFunction };
  checkOptions(options, "{ allow: ['intranet.example'] }", members, 'the options', []);
  const allowed = compileHosts(options.allow ?? []);
  const denied = compileHosts(options.deny ?? []);
  const resolve = options.resolve ?? resolveAsTheSystem;

  const findFault = (
    hostname: string,
    address: string,
    isOpen: boolean,
    own: ReadonlySet<string>,
  ): string | undefined => {
    const canonical = canonicalAddress(address);
    if (canonical === undefined) return 'not an address';
    if (denied.hasAddress(address)) return 'denied';
    if (isOpen || allowed.hasAddress(address)) return undefined;
    if (!isIP(hostname) && innerNames.test(hostname)) return 'a name of this machine or its network';
    return judgeAddress(address) ?? (own.has(canonical) ? 'of this machine' : undefined);
  };

  return {
    async check(given) {
      const url = URL.parse(String(given));
      if (!url) return refuse('it is no URL');
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse(`its scheme is ${url.protocol}`);
      if (url.username !== '' || url.password !== '') return refuse('it has a user name or a password');
      const hostname = plainHostname(url.hostname.replace(/^\[|\]$/g, ''));
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      if (hostname === '') return refuse('it has no host');
      if (denied.hasHost(hostname, port)) return refuse('its host is denied');
      const isOpen = allowed.hasHost(hostname, port);
      // What need not be asked is not told to whoever answers names.
      if (!isOpen && innerNames.test(hostname)) return refuse('its host is a name of this machine or its network');
      const addresses = isIP(hostname) ? [hostname] : await tryResolve(resolve, hostname);
      if ('ok' in addresses) return addresses;
      const own = ownAddresses();
      for (const address of addresses) {
        const fault = findFault(hostname, address, isOpen, own);
        if (fault !== undefined) return refuse(`its host is at an address that is ${fault}`);
      }
      return { ok: true, url, addresses };
    },
  };
}

async function tryResolve(
  resolve: (hostname: string) => Promise<readonly string[]>,
  hostname: string,
): Promise<readonly string[] | SandboxFailure> {
  try {
    const addresses = [...(await resolve(hostname))];
    return addresses.length > 0 ? addresses : notFound(hostname, 'no address');
  } catch (error) {
    return notFound(hostname, errnoOf(error) || 'the resolver failed');
  }
}

async function resolveAsTheSystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

function ownAddresses(): ReadonlySet<string> {
  const listed = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return new Set(
    listed.map(({ address }) => canonicalAddress(address.split('%')[0]!)).filter((own) => own !== undefined),
  );
}

function refuse(reason: string): SandboxFailure {
  return createFailure('URL_REFUSED', `The URL is refused: ${reason}`);
}

function notFound(hostname: string, reason: string): SandboxFailure {
  return createFailure('HOST_NOT_FOUND', `${JSON.stringify(hostname)} has no address: ${reason}`);
}
