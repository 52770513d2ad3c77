import type { Machine, State } from './machine.ts';
import type { RepairRisk } from '../result/repair-result.ts';

/**
 * One way to go on where JSON's own grammar cannot. Each is tried at its place, in the order of that place's list;
 * the first that answers a state wins.
 */
export interface Fix {
  /** What it is called in the list of repairs. */
  readonly code: string;
  readonly risk: RepairRisk;
  /**
   * Looks at the character at the cursor. To go on it records the repair, moves the cursor and names the next state;
   * otherwise it changes nothing and answers `undefined`.
   */
  readonly attempt: (machine: Machine, code: number, fix: Fix) => State | undefined;
}

const reach = 16;

/** The next state by the first fix that knows one. */
export function applyFirst(fixes: readonly Fix[], machine: Machine, code: number): State | undefined {
  // Fixes look at a few characters at once, which are not to be told from others before all are there.
  if (!machine.ended && machine.text.length < machine.at + reach) {
    machine.needsMore = true;
    return undefined;
  }
  for (const fix of fixes) {
    const next = fix.attempt(machine, code, fix);
    const isSettled = next !== undefined || machine.rootEnd !== -1 || machine.failure !== undefined;
    if (isSettled || machine.needsMore) return next;
  }
  return undefined;
}
