import { assembleFilter, type FilterInstruction } from './assemble-filter.ts';
import { deniedCalls, judgedCalls } from './system-calls.ts';

// Where `struct seccomp_data` has the number of the call, the architecture, and the lower half of an argument.
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

const answer = { allow: 0x7f_ff_00_00, error: 0x00_05_00_00 } as const;
const errno = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 } as const;

const architectures = {
  x64: { column: 0, audit: 0xc0_00_00_3e },
  arm64: { column: 1, audit: 0xc0_00_00_b7 },
} as const;
/** Numbers from here on are calls of x32, a second way to every call. */
const x32From = 0x40_00_00_00;

/** Requests that type into the terminal of whoever looks on. */
const typingRequests = [0x54_12, 0x54_1c] as const;
/** New namespaces for mounts, cgroups, names, messages, users, processes, network; of time, which only unshare takes. */
const newNamespaces = 0x7e_02_00_00;
const newTimeNamespace = 0x80;
/** Local, IPv4, IPv6, and what tells of network interfaces; others lead past the jail (vsock) or into seldom used code. */
const socketFamilies = [1, 2, 10, 16] as const;

/**
 * Makes the filter of system calls of a jail: what no tool needs is answered with EPERM. Undefined for an architecture it
 * is not written for.
 */
export function createSeccompFilter(architecture: string): Uint8Array | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  const { column, audit } = architectures[architecture];
  const numberOf = (name: keyof typeof judgedCalls): number => judgedCalls[name][column];
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
    ...typingRequests.map((request) => ifEqual(request, 'deny')),
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
    { op: 'return', value: answer.error | errno.noSuchFamily },
    // Its flags are in memory, which no filter sees; programs fall back on clone.
    label('unknown'),
    { op: 'return', value: answer.error | errno.noSuchCall },
    label('allow'),
    { op: 'return', value: answer.allow },
    label('deny'),
    { op: 'return', value: answer.error | errno.notPermitted },
  ]);
}
