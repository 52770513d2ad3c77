import { advance } from '../states/advance.ts';
import { type FirstState, Machine } from '../machine/machine.ts';
import type { ShapedOptions } from '../result/declared-shape.ts';

/**
 * Reads one value at an offset of a complete text. `state`: what precedes it, `members` if its opening brace is missing, and
 * `arguments` if it follows the `(` of a call. The returned machine has either a `failure`, or a `root` that ends
 * at `rootEnd`. `isClosed`: a closing tag follows the text, so a number at its end is complete.
 */
export function readValue(
  text: string,
  at: number,
  state: FirstState,
  { stopped, limits, shape }: ShapedOptions = {},
  isClosed = false,
): Machine {
  const machine = new Machine({ text, at, ended: true, state, stopped, limits, shape, isClosed });
  advance(machine);
  return machine;
}
