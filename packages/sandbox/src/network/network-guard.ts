import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { functionKind, checkOptions, stringsKind } from '../check-given.ts';
import { createFailure, errnoOf, type SandboxFailure } from '../sandbox-failure.ts';
import { compileHosts, normalizeHostname } from './host-lists.ts';
import { canonicalAddress, findNonPublicReason } from './addresses.ts';

/** Options of {@link createNetworkGuard}. */
export interface NetworkGuardOptions {
  /**
   * Targets to allow although they are not public: hosts (`intranet.example`, `*.intranet.example`, both optionally
   * with `:port`), addresses and ranges (`10.1.0.0/16`).
   */
  readonly allow?: readonly string[];
  /** Targets to refuse although they are public, in the same form. Takes precedence over `allow`. */
  readonly deny?: readonly string[];
  /** Resolves a host name. Default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/** A URL that may be fetched, and the addresses to fetch it from. */
export interface GuardedTarget {
  readonly ok: true;
  readonly url: URL;
  /** All checked addresses of the host. Connect to one of these and do not resolve the name again. */
  readonly addresses: readonly string[];
}

/** Decides which URLs may be fetched. */
export interface NetworkGuard {
  /**
   * Resolves the host of a URL once and checks every address. Returns `URL_REFUSED` for schemes other than http and
   * https, URLs with a user name, and targets that are not public; `HOST_NOT_FOUND` for a name without addresses.
   */
  check(url: string | URL): Promise<GuardedTarget | SandboxFailure>;
}

/** Names of this machine or its network, regardless of their addresses. */
const internalNames = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|onion)$/;

/**
 * Creates a guard that allows only the public network: no loopback, private, link-local, metadata, carrier, tunnel,
 * multicast or reserved addresses in any spelling or mapping, and no addresses of this machine.
 *
 * @throws TypeError if an entry of `allow` or `deny` is neither a host nor an address, or an option has the wrong type.
 * @example
 * import { createNetworkGuard } from '@haft/sandbox';
 * const answer = await createNetworkGuard().check('http://127.0.0.1/admin');
 * 'code' in answer && answer.code; // => 'URL_REFUSED'
 */
export function createNetworkGuard(options: NetworkGuardOptions = {}): NetworkGuard {
  const members = { allow: stringsKind, deny: stringsKind, resolve: functionKind };
  checkOptions(options, "{ allow: ['intranet.example'] }", members, 'options', []);
  const allowed = compileHosts(options.allow ?? []);
  const denied = compileHosts(options.deny ?? []);
  const resolve = options.resolve ?? resolveWithSystem;

  const findRefusalReason = (
    hostname: string,
    address: string,
    isOpen: boolean,
    own: ReadonlySet<string>,
  ): string | undefined => {
    const canonical = canonicalAddress(address);
    if (canonical === undefined) return 'not an address';
    if (denied.hasAddress(address)) return 'denied';
    if (isOpen || allowed.hasAddress(address)) return undefined;
    if (!isIP(hostname) && internalNames.test(hostname)) return 'a name of this machine or its network';
    return findNonPublicReason(address) ?? (own.has(canonical) ? 'of this machine' : undefined);
  };

  return {
    async check(given) {
      const url = URL.parse(String(given));
      if (!url) return refuse('it is not a valid URL');
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse(`its scheme is ${url.protocol}`);
      if (url.username !== '' || url.password !== '') return refuse('it has a user name or a password');
      const hostname = normalizeHostname(url.hostname.replace(/^\[|\]$/g, ''));
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      if (hostname === '') return refuse('it has no host');
      if (denied.hasHost(hostname, port)) return refuse('its host is denied');
      const isOpen = allowed.hasHost(hostname, port);
      // Internal names are not revealed to the resolver unless necessary.
      if (!isOpen && internalNames.test(hostname)) return refuse('its host is a name of this machine or its network');
      const addresses = isIP(hostname) ? [hostname] : await tryResolve(resolve, hostname);
      if ('ok' in addresses) return addresses;
      const own = ownAddresses();
      for (const address of addresses) {
        const fault = findRefusalReason(hostname, address, isOpen, own);
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

async function resolveWithSystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

function ownAddresses(): ReadonlySet<string> {
  const listed = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return new Set(
    listed.map(({ address }) => canonicalAddress(address.split('%')[0]!)).filter((own) => own !== undefined),
  );
}

function refuse(reason: string): SandboxFailure {
  return createFailure('URL_REFUSED', `the URL is refused: ${reason}`);
}

function notFound(hostname: string, reason: string): SandboxFailure {
  return createFailure('HOST_NOT_FOUND', `${JSON.stringify(hostname)} has no address: ${reason}`);
}
