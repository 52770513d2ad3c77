import { assembleFilter, type FilterInstruction } from './assemble-filter.ts';
import { deniedCalls, filteredCalls } from './system-calls.ts';

// Offsets in `struct seccomp_data` of the call number, the architecture, and the lower half of an argument.
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

const action = { allow: 0x7f_ff_00_00, error: 0x00_05_00_00 } as const;
const errno = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 } as const;

const architectures = {
  x64: { column: 0, audit: 0xc0_00_00_3e },
  arm64: { column: 1, audit: 0xc0_00_00_b7 },
} as const;
/** Call numbers from here on belong to the x32 ABI, a second way to every call. */
const x32From = 0x40_00_00_00;

/** Requests that type into a terminal. */
const terminalInputRequests = [0x54_12, 0x54_1c] as const;
/**
 * Flags of new namespaces for mounts, cgroups, host names, messages, users, processes and network, and for time, which
 * only unshare accepts.
 */
const newNamespaces = 0x7e_02_00_00;
const newTimeNamespace = 0x80;
/**
 * Allowed socket families: local, IPv4, IPv6 and netlink. Others reach beyond the jail (vsock) or rarely used kernel
 * code.
 */
const socketFamilies = [1, 2, 10, 16] as const;

/**
 * Creates the seccomp filter of a jail, which rejects calls that tools do not need with EPERM. Returns undefined for an
 * unsupported architecture.
 */
export function createSeccompFilter(architecture: string): Uint8Array | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  const { column, audit } = architectures[architecture];
  const numberOf = (name: keyof typeof filteredCalls): number => filteredCalls[name][column];
  const denied = Object.values(deniedCalls).flatMap((numbers) => numbers[column] ?? []);
  const load = (offset: number): FilterInstruction => ({ op: 'load', offset });
  const ifEqual = (value: number, to: string): FilterInstruction => ({ op: 'ifEqual', value, to });
  const label = (name: string): FilterInstruction => ({ op: 'label', name });
  const goto = (to: string): FilterInstruction => ({ op: 'goto', to });
  return assembleFilter([
    load(architectureAt),
    ifEqual(audit, 'ours'),
    goto('deny'),
    label('ours'),
    load(numberAt),
    ...(architecture === 'x64' ? [{ op: 'ifAtLeast', value: x32From, to: 'deny' } as const] : []),
    ifEqual(numberOf('ioctl'), 'ioctl'),
    ifEqual(numberOf('clone'), 'clone'),
    ifEqual(numberOf('unshare'), 'unshare'),
    ifEqual(numberOf('socket'), 'socket'),
    ifEqual(numberOf('socketpair'), 'socket'),
    ifEqual(numberOf('clone3'), 'unknown'),
    ...denied.map((number) => ifEqual(number, 'deny')),
    goto('allow'),
    label('ioctl'),
    load(argumentAt(1)),
    ...terminalInputRequests.map((request) => ifEqual(request, 'deny')),
    goto('allow'),
    label('clone'),
    load(argumentAt(0)),
    { op: 'ifAnyBit', value: newNamespaces, to: 'deny' },
    goto('allow'),
    label('unshare'),
    load(argumentAt(0)),
    { op: 'ifAnyBit', value: newNamespaces | newTimeNamespace, to: 'deny' },
    goto('allow'),
    label('socket'),
    load(argumentAt(0)),
    ...socketFamilies.map((family) => ifEqual(family, 'allow')),
    { op: 'return', value: action.error | errno.noSuchFamily },
    // The flags of clone3 are in memory, which filters cannot read. Programs then fall back to clone.
    label('unknown'),
    { op: 'return', value: action.error | errno.noSuchCall },
    label('allow'),
    { op: 'return', value: action.allow },
    label('deny'),
    { op: 'return', value: action.error | errno.notPermitted },
  ]);
}
