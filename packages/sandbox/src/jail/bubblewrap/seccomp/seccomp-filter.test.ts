import { describe, expect, it } from 'vitest';
import { assembleFilter } from './assemble-filter.ts';
import { createSeccompFilter } from './seccomp-filter.ts';
import { deniedCalls, filteredCalls } from './system-calls.ts';

interface Call {
  readonly number: number;
  readonly audit: number;
  readonly args?: readonly number[];
}

/** Interprets a filter like the kernel does, see `bpf(2)`, for the few instructions in use. */
function runFilter(filter: Uint8Array, { number, audit, args = [] }: Call): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, audit, true);
  args.forEach((value, index) => data.setBigUint64(16 + 8 * index, BigInt(value), true));
  const program = new DataView(filter.buffer);
  let loaded = 0;
  for (let at = 0; ; at += 1) {
    const code = program.getUint16(at * 8, true);
    const value = program.getUint32(at * 8 + 4, true);
    const jump = (holds: boolean): number => program.getUint8(at * 8 + (holds ? 2 : 3));
    if (code === 0x20) loaded = data.getUint32(value, true);
    else if (code === 0x15) at += jump(loaded === value);
    else if (code === 0x35) at += jump(loaded >= value);
    else if (code === 0x45) at += jump((loaded & value) !== 0);
    else if (code === 0x05) at += value;
    else if (code === 0x06) return value;
    else throw new Error(`unknown instruction ${code} at ${at}`);
  }
}

const allowed = 0x7f_ff_00_00;
const failsWith = (errno: number): number => 0x05_00_00 | errno;

describe.each([
  ['x64', 0, 0xc0_00_00_3e, { read: 0, execve: 59, openat: 257, futex: 202, clone: 56 }],
  ['arm64', 1, 0xc0_00_00_b7, { read: 63, execve: 221, openat: 56, futex: 98, clone: 220 }],
] as const)('the seccomp filter for %s', (architecture, column, audit, common) => {
  const filter = createSeccompFilter(architecture)!;
  const ask = (number: number, ...args: readonly number[]): number => runFilter(filter, { number, audit, args });
  const runNamed = (name: keyof typeof filteredCalls, ...args: readonly number[]): number =>
    ask(filteredCalls[name][column], ...args);

  it('allows system calls that programs use', () => {
    for (const number of Object.values(common)) expect(ask(number)).toBe(allowed);
    // A thread and a child process, as glibc creates them.
    expect(runNamed('clone', 0x3d_0f_00)).toBe(allowed);
    expect(runNamed('clone', 0x01_20_00_11)).toBe(allowed);
    expect(runNamed('unshare', 0x2_00)).toBe(allowed);
    expect(runNamed('ioctl', 0, 0x54_13)).toBe(allowed);
    for (const family of [1, 2, 10, 16]) expect(runNamed('socket', family)).toBe(allowed);
  });

  it('denies every call of the list', () => {
    for (const [name, numbers] of Object.entries(deniedCalls)) {
      const number = numbers[column];
      if (number !== null) expect([name, ask(number)]).toEqual([name, failsWith(1)]);
    }
  });

  it('denies typing into a terminal, namespaces and unusual socket families', () => {
    expect(runNamed('ioctl', 0, 0x54_12)).toBe(failsWith(1));
    // The kernel checks only the lower half of the request, and so must the filter.
    expect(runNamed('ioctl', 0, 0x1_00_00_54_12)).toBe(failsWith(1));
    for (const flag of [17, 25, 26, 27, 28, 29, 30]) {
      expect(runNamed('clone', 2 ** flag)).toBe(failsWith(1));
      expect(runNamed('unshare', 2 ** flag)).toBe(failsWith(1));
    }
    expect(runNamed('unshare', 0x80)).toBe(failsWith(1));
    expect(runNamed('clone', 0x80)).toBe(allowed);
    expect(runNamed('clone3')).toBe(failsWith(38));
    for (const family of [17, 31, 38, 40, 44]) expect(runNamed('socketpair', family)).toBe(failsWith(97));
  });

  it('denies every call with numbers of another architecture', () => {
    for (const other of [0x40_00_00_03, 0xc0_00_00_3e, 0xc0_00_00_b7, 0x40_00_00_28].filter((code) => code !== audit))
      expect(runFilter(filter, { number: 1, audit: other })).toBe(failsWith(1));
    if (architecture === 'x64') expect(ask(0x40_00_00_00)).toBe(failsWith(1));
  });
});

describe('createSeccompFilter and assembleFilter', () => {
  it('create no filter for an unknown architecture', () => {
    expect(createSeccompFilter('riscv64')).toBeUndefined();
  });

  it('reject a jump to a missing or earlier label', () => {
    expect(() => assembleFilter([{ op: 'goto', to: 'nowhere' }])).toThrow(RangeError);
    expect(() =>
      assembleFilter([
        { op: 'label', name: 'here' },
        { op: 'goto', to: 'here' },
      ]),
    ).toThrow(RangeError);
  });
});
