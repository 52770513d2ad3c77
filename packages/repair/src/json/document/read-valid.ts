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
    const isInfinite = holdsInfinity(value, maxWalked) ?? (mayHoldInfinity(text) && holdsInfinity(value));
    return isInfinite ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Number of parts up to which looking at a value costs less than looking at its text. */
const maxWalked = 24;

/** Whether a number in a value is too large for a double, so that what was written is lost. Undefined after `limit` parts. */
export function holdsInfinity(value: JsonValue, limit?: undefined): boolean;
export function holdsInfinity(value: JsonValue, limit: number): boolean | undefined;
export function holdsInfinity(value: JsonValue, limit = Number.POSITIVE_INFINITY): boolean | undefined {
  if (typeof value === 'object' && value !== null) {
    const pending: JsonValue[] = [value];
    let count = 0;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const key in next as JsonObject) {
        const part = (next as JsonObject)[key];
        if (typeof part === 'number') {
          if (!Number.isFinite(part)) return true;
        } else if (typeof part === 'object' && part !== null) pending.push(part);
        count += 1;
        if (count > limit) return undefined;
      }
    }
    return false;
  }
  return typeof value === 'number' && !Number.isFinite(value);
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
