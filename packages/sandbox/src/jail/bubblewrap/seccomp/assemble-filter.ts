/** An instruction of a classic BPF filter. Jumps name labels. */
export type FilterInstruction =
  | { readonly op: 'label'; readonly name: string }
  /** Loads 32 bits of the system call's data at an offset. */
  | { readonly op: 'load'; readonly offset: number }
  /** Jumps to `to` if the test of the loaded value succeeds, otherwise continues. */
  | { readonly op: 'ifEqual' | 'ifAtLeast' | 'ifAnyBit'; readonly value: number; readonly to: string }
  | { readonly op: 'goto'; readonly to: string }
  | { readonly op: 'return'; readonly value: number };

const codes = { load: 0x20, ifEqual: 0x15, ifAtLeast: 0x35, ifAnyBit: 0x45, goto: 0x05, return: 0x06 } as const;
const instructionBytes = 8;
const maxJumpDistance = 255;

/**
 * Assembles a filter into an array of `struct sock_filter`, in the byte order of x64 and arm64.
 *
 * @throws RangeError if a label is missing, before its jump or too far away.
 */
export function assembleFilter(program: readonly FilterInstruction[]): Uint8Array {
  const labels = new Map<string, number>();
  let count = 0;
  for (const instruction of program)
    if (instruction.op === 'label') labels.set(instruction.name, count);
    else count += 1;
  const bytes = new Uint8Array(count * instructionBytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const distanceTo = (label: string, maxDistance: number): number => {
    const distance = (labels.get(label) ?? -1) - at - 1;
    if (distance < 0 || distance > maxDistance)
      throw new RangeError(`cannot jump from ${at} to ${JSON.stringify(label)}`);
    return distance;
  };
  for (const instruction of program) {
    if (instruction.op === 'label') continue;
    const offset = at * instructionBytes;
    view.setUint16(offset, codes[instruction.op], true);
    if (instruction.op.startsWith('if') && 'to' in instruction)
      view.setUint8(offset + 2, distanceTo(instruction.to, maxJumpDistance));
    view.setUint32(offset + 4, operandOf(instruction, distanceTo), true);
    at += 1;
  }
  return bytes;
}

function operandOf(
  instruction: Exclude<FilterInstruction, { readonly op: 'label' }>,
  distanceTo: (label: string, maxDistance: number) => number,
): number {
  if (instruction.op === 'load') return instruction.offset;
  if (instruction.op === 'goto') return distanceTo(instruction.to, 0xff_ff);
  return instruction.value >>> 0;
}
