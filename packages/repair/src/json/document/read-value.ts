import * as char from '../text/char.ts';
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
  if (machine.failure?.code === 'INVALID_JSON' && machine.hasGuessedEnd) {
    // The guess was wrong: the text was cut inside that string.
    const again = new Machine({ ...start, limits: { ...limits, backtracks: 0 } });
    advance(again);
    if (again.failure === undefined) return again;
  }
  const damage = closerRepairs(machine);
  if (machine.failure !== undefined || damage === 0 || !isLineEnd(text.charCodeAt(machine.start + 1))) return machine;
  // Closers are missing or wrong, and the lines may show where.
  const again = new Machine({ ...start, limits, followsLayout: true });
  advance(again);
  return isCertain(again) && (machine.ending === 'open' || closerRepairs(again) <= damage) ? again : machine;
}

const isLineEnd = (code: number): boolean => code === char.lineFeed || code === char.carriageReturn;

const closerCodes = new Set(['missing-closer', 'wrong-closer', 'extra-closer', 'unclosed']);
const closerRepairs = ({ repairs }: Machine): number => repairs.filter(({ code }) => closerCodes.has(code)).length;

/** Returns whether a value has all its closers, and none are left. */
const isCertain = ({ ending, failure, hasAmbiguousEnd, rootEnd, text }: Machine): boolean =>
  failure === undefined && ending === 'closed' && !hasAmbiguousEnd && !/[[\]{}]/.test(text.slice(rootEnd));
