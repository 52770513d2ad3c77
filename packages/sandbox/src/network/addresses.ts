import { isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges outside the public network, with descriptions. Sources: IANA's registry and cloud platforms. */
const nonPublicV4: readonly (readonly [range: string, bits: number, description: string])[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by a carrier'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'a platform service'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'for documentation'],
  ['192.88.99.0', 24, 'a relay'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'for benchmarks'],
  ['198.51.100.0', 24, 'for documentation'],
  ['203.0.113.0', 24, 'for documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
];

/**
 * IPv6 ranges inside global unicast (2000::/3) that are not public. Everything outside global unicast is not public.
 */
const nonPublicV6: readonly (readonly [range: string, bits: number, description: string])[] = [
  ['2001::', 23, 'reserved, or a tunnel'],
  ['2001:db8::', 32, 'for documentation'],
  ['2002::', 16, 'a tunnel'],
  ['3fff::', 20, 'for documentation'],
];

/** IPv6 ranges whose last 32 bits are the IPv4 address that is connected to. */
const mappedRanges: readonly (readonly [range: string, bits: number])[] = [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
];

/** An address as a number. */
interface ParsedAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** Returns the reason why an address is not public, or undefined if it is. Invalid addresses are not public. */
export function findNonPublicReason(address: string): string | undefined {
  const parsed = parseAddress(address);
  if (!parsed) return 'not an address';
  if (parsed.bits === 32) return findRange(parsed, nonPublicV4);
  if (!isInRange(parsed, '2000::', 3)) return 'private, link-local, multicast or reserved';
  return findRange(parsed, nonPublicV6);
}

/**
 * Returns an address in canonical form, with IPv4-mapped addresses as IPv4 and without a zone, or undefined if it is
 * invalid.
 */
export function canonicalAddress(address: string): string | undefined {
  const parsed = parseAddress(address);
  return parsed && `${parsed.bits}/${parsed.value.toString(16)}`;
}

/** Returns true if an address is in a range such as `10.0.0.0/8` or `fd00::/8`, or equal to a single address. */
export function isAddressIn(address: string, range: string): boolean {
  const parsed = parseAddress(address);
  const [base = '', bits] = range.split('/');
  return parsed !== undefined && isInRange(parsed, base, bits === undefined ? undefined : Number(bits));
}

/** Returns true if a text is an address or an address range. */
export function isAddressRange(text: string): boolean {
  const [base = '', bits, ...more] = text.split('/');
  const parsed = parseAddress(base);
  if (!parsed || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= parsed.bits);
}

function findRange(
  address: ParsedAddress,
  ranges: readonly (readonly [range: string, bits: number, description: string])[],
): string | undefined {
  return ranges.find(([range, bits]) => isInRange(address, range, bits))?.[2];
}

function isInRange(address: ParsedAddress, range: string, bits?: number): boolean {
  const base = parseAddress(range);
  if (!base || base.bits !== address.bits) return false;
  const shift = BigInt(base.bits - (bits ?? base.bits));
  return address.value >> shift === base.value >> shift;
}

function parseAddress(text: string): ParsedAddress | undefined {
  if (isIPv4(text)) return { bits: 32, value: joinGroups(text.split('.').map(Number), 8n) };
  // An address with a zone is link-local.
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const value = joinGroups(splitGroups(text), 16n);
  const parsed: ParsedAddress = { bits: 128, value };
  for (const [range, bits] of mappedRanges) {
    const shift = 128n - BigInt(bits);
    if (value >> shift === joinGroups(splitGroups(range), 16n) >> shift)
      return { bits: 32, value: value & 0xff_ff_ff_ffn };
  }
  return parsed;
}

/** Returns the eight groups of an IPv6 address, which the URL parser normalizes. */
function splitGroups(text: string): readonly number[] {
  const plain = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const numbers = (part: string | undefined): number[] =>
    part === undefined || part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const first = numbers(head);
  const last = numbers(tail);
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function joinGroups(groups: readonly number[], bits: bigint): bigint {
  return groups.reduce((sum, group) => (sum << bits) | BigInt(group), 0n);
}
