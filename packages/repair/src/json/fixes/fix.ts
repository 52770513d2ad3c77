import type { Frame, Machine, State } from '../machine/machine.ts';
import { note, open } from '../machine/operations.ts';
import type { RepairRisk } from '../result/repair-result.ts';

/**
 * A repair for a position at which JSON's grammar can't continue. In a stream, more text could still change the answers
 * of `codeAt`, `startsAt` and `findFrom`. They then set `machine.needsMore`: a fix that asks them changes nothing before
 * it has checked that, and runs again later. The first 16 characters at the cursor have always arrived.
 */
export interface Fix {
  /** Usual name of the repair in the result. A fix that reads several kinds of damage also records others. */
  readonly code: string;
  readonly risk: RepairRisk;
  /** Returns the next state. Returns undefined if the fix does not apply and has changed nothing, or if reading ends. */
  readonly apply: (machine: Machine, code: number) => State | undefined;
}

/** The number of characters at the cursor that a fix reads, or false if it does not apply. */
export type Match = number | false;

/**
 * Creates a fix that replaces the characters it reads by other JSON text. `next` is the next state, or a function that
 * returns it after the repair was recorded and the cursor was moved.
 */
export function replace(
  name: string,
  risk: RepairRisk,
  assumed: string,
  next: State | ((machine: Machine, start: number) => State | undefined),
  matches: (machine: Machine, code: number) => Match,
): Fix {
  return attempt(name, risk, (machine, code) => {
    const { at, state } = machine;
    const length = matches(machine, code);
    // A fix that reads nothing and names the same state would be applied without end.
    if (length === false || machine.needsMore || (length === 0 && next === state)) return undefined;
    note(machine, name, risk, at, at + length, assumed);
    machine.at = at + length;
    return typeof next === 'string' ? next : next(machine, at);
  });
}

/** Creates a fix that decides, records and reads at once, because these depend on each other. */
export function attempt(code: string, risk: RepairRisk, apply: Fix['apply']): Fix {
  return { code, risk, apply };
}

/** Number of characters that a fix may read without checking whether they have arrived. */
const reach = 16;

/** Applies the first matching fix of a list. Returns the next state, or undefined if no fix matches. */
export function applyFirst(fixes: readonly Fix[], machine: Machine, code: number): State | undefined {
  if (!machine.ended && machine.text.length < machine.at + reach) {
    machine.needsMore = true;
    return undefined;
  }
  for (const fix of fixes) {
    const next = fix.apply(machine, code);
    if (next !== undefined || machine.rootEnd !== -1 || machine.failure !== undefined || machine.needsMore) return next;
  }
  return undefined;
}

/** Opens the container whose opener is at an offset. Returns the state that reads its first member or item. */
export function openFrame(machine: Machine, kind: Frame['kind'], start: number, closer?: number): State | undefined {
  machine.at = start + 1;
  return open(machine, kind, start, closer) ? nextPart(machine) : undefined;
}

/** Returns the state that reads the next member or item. */
export const nextPart = ({ frame }: Machine): State => (frame?.kind === 'array' ? 'beforeValue' : 'beforeKey');
