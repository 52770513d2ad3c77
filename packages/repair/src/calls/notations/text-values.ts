import { repairAsDeclared } from '../../json/document/repair-json.ts';
import type { JsonValue } from '../../json/result/json-value.ts';
import type { Repair, RepairSuccess } from '../../json/result/repair-result.ts';
import { booleanOf } from '../../json/text/value-words.ts';
import { numberSource } from '../../json/text/characters.ts';
import type { Shape } from '../../json/result/declared-shape.ts';

const integerPattern = /^-?\d+$/;
const numberPattern = new RegExp(`^${numberSource}$`);
const allKinds: ReadonlySet<string> = new Set(['null', 'boolean', 'integer', 'number', 'array', 'object', 'string']);
const onlyText: ReadonlySet<string> = new Set(['string']);

/**
 * Converts text to a value, for notations that write every argument as text. Uses the first type that the shape allows
 * and the text can represent. If only a string is allowed, returns the text unchanged. `unknown` converts text that no
 * schema declares.
 */
export function readTextValue(
  text: string,
  shape: Shape | undefined,
  unknown: 'string' | 'json',
  repaired: (repairs: readonly Repair[]) => void = () => {},
): JsonValue {
  const kinds = shape?.kinds ?? (unknown === 'json' ? allKinds : onlyText);
  const trimmed = text.trim();
  const isOptionalString = kinds.has('string');
  if (trimmed === '' && !isOptionalString && kinds.has('array')) return [];
  if (trimmed === 'null' && (kinds.has('null') || !isOptionalString)) return null;
  const word = kinds.has('boolean') ? booleanOf(trimmed) : undefined;
  // Where a string is allowed, `yes` and `on` stay text.
  if (word !== undefined && (!isOptionalString || /^[tf]/i.test(trimmed))) return word;
  const number = Number(trimmed);
  const isSafe = Number.isSafeInteger(number);
  // Where a string is allowed, a number in a spelling that JSON does not use stays text, such as `0123` or `1.10`.
  if (!isOptionalString || String(number) === trimmed) {
    const isInteger = integerPattern.test(trimmed);
    if (kinds.has('integer') && isInteger && isSafe) return number;
    if (kinds.has('number') && numberPattern.test(trimmed) && (isInteger ? isSafe : Number.isFinite(number)))
      return number;
  }
  if ((kinds.has('array') || kinds.has('object')) && /^[[{(]/.test(trimmed)) {
    const { value, repairs } = readWhole(trimmed, shape) ?? {};
    if (typeof value === 'object' && kinds.has(Array.isArray(value) ? 'array' : 'object')) {
      repaired(repairs ?? []);
      return value;
    }
  }
  return text;
}

/** Reads JSON for a declared value if all of the text belongs to it. */
export function readWhole(text: string, shape: Shape | undefined): RepairSuccess | undefined {
  const result = repairAsDeclared(text, { shape });
  return result.ok && result.complete && !dropsText(result.repairs) ? result : undefined;
}

/** Returns whether `readTextValue` leaves every text unchanged. */
export function isOnlyText(shape: Shape | undefined, unknown: 'string' | 'json'): boolean {
  const { kinds } = shape ?? {};
  if (kinds === undefined) return unknown === 'string';
  return kinds.has('string') && kinds.size === 1;
}

/** Returns whether a shape allows numbers and no text. */
export function isOnlyNumber({ kinds }: Shape): boolean {
  return kinds !== undefined && (kinds.has('number') || kinds.has('integer')) && !kinds.has('string');
}

/** `{"a": 1} OR {"a": 2}`: returns whether parts of a text were left out, so that it means something else. */
export function dropsText(repairs: readonly Repair[]): boolean {
  return repairs.some(
    ({ code, found }) =>
      code === 'other-value' ||
      (/^prose-(?:before|after)$/.test(code) && /^(?!#|\/\/).*(?:\p{L}{2}|[+|&])/su.test(found)),
  );
}
