import { contradicts } from '../result/contradicts.ts';
import { insideWrapper } from '../result/inside-wrapper.ts';
import type { JsonValue } from '../result/json-value.ts';
import { mayBeJson } from '../text/may-be-json.ts';
import type { Repair, RepairSuccess } from '../result/repair-result.ts';
import type { ShapedOptions } from '../result/declared-shape.ts';

/** Default maximum length of a text, in UTF-16 units. */
export const defaultSize: number = 32 * 1024 * 1024;

const none: readonly Repair[] = Object.freeze([]);

const errors = Error as { stackTraceLimit?: number };

/** Parses JSON. Returns `undefined` for other text, without the cost of an exception if possible. */
export function parseJson(text: string): JsonValue | undefined {
  if (!mayBeJson(text)) return undefined;
  const { stackTraceLimit } = errors;
  // V8 takes longer to record a stack trace, which is not read here, than to read a short text.
  if (stackTraceLimit !== undefined) limitTraces(0);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  } finally {
    if (stackTraceLimit !== undefined) limitTraces(stackTraceLimit);
  }
}

function limitTraces(limit: number): void {
  try {
    errors.stackTraceLimit = limit;
  } catch {
    // It was frozen.
  }
}

/**
 * Returns whether a value has the intended meaning, without anything to decode, read again or report. Needs no repair
 * code.
 */
export function isAsMeant(value: JsonValue, options: ShapedOptions): boolean {
  const { shape } = options;
  if (typeof value === 'string' && isObjectDue(options)) return false;
  return !isMisread(value, options) && (shape === undefined || insideWrapper(value, shape) === undefined);
}

/** Returns whether an object is expected: by `root`, or by a schema that allows objects and no strings. */
export function isObjectDue({ root, shape }: ShapedOptions): boolean {
  return root === 'object' || (shape?.kinds?.has('object') === true && !shape.kinds.has('string'));
}

/** Returns whether a value has another meaning as declared, or the options ask for details that `JSON.parse` ignores. */
export function isMisread(value: JsonValue, { limits, shape }: ShapedOptions): boolean {
  const { depth, duplicateKeys = 'last', unsafeIntegers = 'round' } = limits ?? {};
  const isExact = depth !== undefined || duplicateKeys !== 'last' || unsafeIntegers !== 'round';
  return isExact || contradicts(value, shape);
}

/** Creates the result for a value without repairs. */
export function asWritten<Value extends JsonValue>(value: Value): RepairSuccess & { readonly value: Value } {
  return { ok: true, value, risk: 'none', complete: true, repairs: none };
}
