import { contradicts, isSmallAndMeant } from '../result/contradicts.ts';
import { insideEnvelope } from '../result/envelope.ts';
import type { JsonValue } from '../result/json-value.ts';
import { mayHoldInfinity } from '../text/infinite-numbers.ts';
import { mayBeJson } from '../text/may-be-json.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import type { Repair, RepairSuccess } from '../result/repair-result.ts';
import type { Shape } from '../result/shape.ts';

/** Longest text that is read when nothing else is said, in UTF-16 units. */
export const defaultSize: number = 32 * 1024 * 1024;

const none: readonly Repair[] = Object.freeze([]);

/** Parses JSON. Returns `undefined` for other text, without the cost of an error where that is easy. */
export function parseJson(text: string): JsonValue | undefined {
  if (!mayBeJson(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whether every number of a parsed text fits in a double. */
export function isFinite(value: JsonValue, text: string): boolean {
  return !mayHoldInfinity(text) || !holdsInfinity(value);
}

/** Whether a number in a value is too large for a double, so that what was written is lost. */
export function holdsInfinity(value: JsonValue): boolean {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number' && !Number.isFinite(next)) return true;
    if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next) as readonly JsonValue[]) pending.push(member);
  }
  return false;
}

/**
 * Whether a value is what its text was meant to say, with nothing in it to be opened, read anew or reported. Needs none of
 * what repairs.
 */
export function isAsMeant(value: JsonValue, text: string, options: RepairOptions, shape: Shape | undefined): boolean {
  if (options.limits !== undefined && isLimited(options.limits)) return false;
  if (typeof value === 'string' && isObjectDue(options, shape)) return false;
  if (!isSmallAndMeant(value, shape)) {
    if (!isFinite(value, text) || (shape !== undefined && contradicts(value, shape))) return false;
  }
  return shape === undefined || insideEnvelope(value, shape) === undefined;
}

/** Whether an object was asked for and text was not. */
export function isObjectDue({ root }: RepairOptions, shape: Shape | undefined): boolean {
  return root === 'object' || (shape?.kinds?.has('object') === true && !shape.kinds.has('string'));
}

/** Whether something is to be counted that `JSON.parse` passes over in silence. */
export function isLimited({ depth, duplicateKeys, unsafeIntegers }: NonNullable<RepairOptions['limits']>): boolean {
  return depth !== undefined || (duplicateKeys ?? 'last') !== 'last' || (unsafeIntegers ?? 'round') !== 'round';
}

/** What needed no repair. */
export function asWritten(value: JsonValue): RepairSuccess {
  return { ok: true, value, risk: 'none', complete: true, repairs: none };
}
