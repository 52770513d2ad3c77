import { advance } from '../states/advance.ts';
import { Machine, type State } from '../machine/machine.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import { toShape, type Shape } from '../result/declared-shape.ts';

/** What precedes the value. `members`: its opening brace is missing. `arguments`: it follows the `(` of a call. */
export type ValueForm = 'value' | 'members' | 'arguments';

/** The first state of reading. */
export const formState = (form: ValueForm): State => (form === 'value' ? 'beforeValue' : form);

/**
 * Reads one value at an offset of a complete text. The returned machine has either a `failure`, or a `root` that ends
 * at `rootEnd`. `isClosed`: a closing tag follows the text, so a number at its end is complete.
 */
export function readValue(
  text: string,
  at: number,
  form: ValueForm,
  options: RepairOptions = {},
  shape: Shape | undefined = toShape(options),
  isClosed = false,
): Machine {
  const { stopped, limits } = options;
  const machine = new Machine({ text, at, ended: true, state: formState(form), stopped, limits, shape, isClosed });
  advance(machine);
  return machine;
}
