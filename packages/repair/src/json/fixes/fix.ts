import type { Frame, Machine, State } from '../machine/machine.ts';
import { note, open } from '../machine/operations.ts';
import type { RepairRisk } from '../result/repair-result.ts';

/** A repair for a position at which JSON's grammar can't continue. */
export interface Fix {
  /** Name of the repair in the result. */
  readonly code: string;
  readonly risk: RepairRisk;
  /**
   * Returns the number of characters at the cursor that the fix reads, or undefined if it does not apply. Changes
   * nothing.
   */
  readonly matches: (machine: Machine, code: number) => number | undefined;
  /** The JSON text that replaces them. */
  readonly assumed?: string;
  /**
   * The next step, or a function that returns it. The function runs after the repair was recorded and the cursor was
   * moved.
   */
  readonly next: State | ((machine: Machine, start: number) => State | undefined);
}

/** A fix that decides, records and reads at once, because these depend on each other. */
export interface Attempt {
  readonly code: string;
  readonly risk: RepairRisk;
  /** Returns the next step, or undefined if the fix does not apply and has changed nothing. */
  readonly attempt: (machine: Machine, code: number, fix: Attempt) => State | undefined;
}

/** Number of characters that a fix may read without checking whether they have arrived. */
const reach = 16;

/** Applies the first matching fix of a list. Returns the next step, or undefined if no fix matches. */
export function applyFirst(fixes: readonly (Fix | Attempt)[], machine: Machine, code: number): State | undefined {
  if (!machine.ended && machine.text.length < machine.at + reach) {
    machine.needsMore = true;
    return undefined;
  }
  for (const fix of fixes) {
    const next = 'attempt' in fix ? fix.attempt(machine, code, fix) : apply(fix, machine, code);
    if (next !== undefined || machine.rootEnd !== -1 || machine.failure !== undefined || machine.needsMore) return next;
  }
  return undefined;
}

function apply(fix: Fix, machine: Machine, code: number): State | undefined {
  const { at } = machine;
  const length = fix.matches(machine, code);
  if (length === undefined || machine.needsMore) return undefined;
  // A fix that reads nothing and names the same step would be applied without end.
  if (length === 0 && fix.next === machine.state) return undefined;
  note(machine, fix.code, fix.risk, at, at + length, fix.assumed ?? '');
  machine.at = at + length;
  return typeof fix.next === 'string' ? fix.next : fix.next(machine, at);
}

/** Opens the container whose opener is at an offset. Returns the step that reads its first member or item. */
export function openFrame(machine: Machine, kind: Frame['kind'], closer: number, start: number): State | undefined {
  machine.at = start + 1;
  return open(machine, kind, closer, start) ? nextPart(machine) : undefined;
}

/** Returns the step that reads the next member or item. */
export function nextPart({ frame }: Machine): State {
  return frame?.kind === 'array' ? 'beforeValue' : 'beforeKey';
}
