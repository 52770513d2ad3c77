import { contradicts } from '../result/contradicts.ts';
import { insideEnvelope } from '../result/envelope.ts';
import type { JsonObject, JsonValue } from '../result/json-value.ts';
import { mayHoldInfinity } from '../text/infinite-numbers.ts';
import { mayBeJson } from '../text/may-be-json.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import type { RepairSuccess } from '../result/repair-result.ts';
import type { Shape } from '../result/shape.ts';

/** Longest text that is read when nothing else is said, in UTF-16 units. */
export const defaultSize: number = 32 * 1024 * 1024;

/** What `JSON.parse` makes of a text; `undefined` for what is no JSON, or holds a number that is too large, which is told without an error where that is easy. */
export function parseStrictly(text: string): JsonValue | undefined {
  if (!mayBeJson(text)) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isSmallAndFinite(value) || !mayHoldInfinity(text) || !holdsInfinity(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const maxWalked = 32;

/** Whether a value has few parts, none of them a number that is too large: to look at these costs less than at the text. */
function isSmallAndFinite(value: JsonValue): boolean {
  return finiteLeft(value, maxWalked) > 0;
}

/** How many parts may still come after those of a value; 0 when there were too many, or one of them was not finite. */
function finiteLeft(value: JsonValue, most: number): number {
  if (typeof value === 'number') return Number.isFinite(value) ? most - 1 : 0;
  if (typeof value !== 'object' || value === null) return most - 1;
  let left = most - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left > 0; index += 1)
      left = finiteLeft(value[index] as JsonValue, left);
    return left;
  }
  const members = value as JsonObject;
  for (const key in members) {
    left = finiteLeft(members[key] ?? null, left);
    if (left <= 0) return 0;
  }
  return left;
}

/** Whether a number in a value is too large for a double, so that nobody knows any more what was written. */
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
export function isAsMeant(value: JsonValue, options: RepairOptions, shape: Shape | undefined): boolean {
  if (options.limits !== undefined && isLimited(options.limits)) return false;
  if (typeof value === 'string' && isObjectDue(options, shape)) return false;
  return shape === undefined || (!contradicts(value, shape) && insideEnvelope(value, shape) === undefined);
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
  return { ok: true, value, risk: 'none', complete: true, repairs: [] };
}
