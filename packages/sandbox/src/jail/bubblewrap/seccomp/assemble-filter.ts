/** One instruction of a packet filter (classic BPF); jumps name labels. */
export type FilterInstruction =
  | { readonly op: 'label'; readonly name: string }
  /** Loads the 32 bits of the call's facts that begin at an offset. */
  | { readonly op: 'load'; readonly offset: number }
  /** Goes on at `to` when the test of what was loaded holds, else at the next instruction. */
  | { readonly op: 'ifEqual' | 'ifAtLeast' | 'ifAnyBit'; readonly value: number; readonly to: string }
  | { readonly op: 'goto'; readonly to: string }
  | { readonly op: 'return'; readonly value: number };

const codes = { load: 0x20, ifEqual: 0x15, ifAtLeast: 0x35, ifAnyBit: 0x45, goto: 0x05, return: 0x06 } as const;
const instructionBytes = 8;
const longestJump = 255;

/**
 * Assembles a filter into the form that the kernel takes (`struct sock_filter`, in the order of bytes of x64 and arm64).
 *
 * @throws RangeError for a label that is not there, lies behind, or is too far away.
 */
export function assembleFilter(program: readonly FilterInstruction[]): Uint8Array {
  const environments = new Map<string, number>();
  let count = 0;
  for (const instruction of program)
    if (instruction.op === 'label') environments.set(instruction.name, count);
    else count += 1;
  const bytes = new Uint8Array(count * instructionBytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const distanceTo = (label: string, longest: number): number => {
    const distance = (environments.get(label) ?? -1) - at - 1;
    if (distance < 0 || distance > longest) throw new RangeError(`no jump from ${at} to ${JSON.stringify(label)}`);
    return distance;
  };
  for (const instruction of program) {
    if (instruction.op === 'label') continue;
    const offset = at * instructionBytes;
    view.setUint16(offset, codes[instruction.op], true);
    if (instruction.op.startsWith('if') && 'to' in instruction)
      view.setUint8(offset + 2, distanceTo(instruction.to, longestJump));
    view.setUint32(offset + 4, operandOf(instruction, distanceTo), true);
    at += 1;
  }
  return bytes;
}

function operandOf(
  instruction: Exclude<FilterInstruction, { readonly op: 'label' }>,
  distanceTo: (label: string, longest: number) => number,
): number {
  if (instruction.op === 'load') return instruction.offset;
  if (instruction.op === 'goto') return distanceTo(instruction.to, 0xff_ff);
  return instruction.value >>> 0;
}
