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
  const start = { text, at, ended: true, state, stopped, shape, isClosed };
  const machine = new Machine({ ...start, limits });
  advance(machine);
  if (machine.failure?.code !== 'INVALID_JSON' || !machine.hasGuessedEnd) return machine;
  // The guess was wrong: the text was cut inside that string.
  const again = new Machine({ ...start, limits: { ...limits, backtracks: 0 } });
  advance(again);
  return again.failure === undefined ? again : machine;
}
