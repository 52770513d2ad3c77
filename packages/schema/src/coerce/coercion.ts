/**
 * Every code a {@link Coercion} can carry.
 *
 * - `null_dropped`: null for an optional key counts as absent.
 * - `json_parsed`: a container written as JSON inside a string.
 * - `number_parsed`, `boolean_parsed`: a number or boolean written as a string where no string is accepted.
 * - `enum_case`: an enum value in another case, when only one fits.
 * - `wrapped`: one value where a list of it is required.
 * - `key_renamed`: another spelling of a declared key (case, underscores), when only one fits.
 * - `alias`: a declared alias of a key.
 */
export const coercionCodes = [
  'null_dropped',
  'json_parsed',
  'number_parsed',
  'boolean_parsed',
  'enum_case',
  'wrapped',
  'key_renamed',
  'alias',
] as const;

/** One of {@link coercionCodes}. */
export type CoercionCode = (typeof coercionCodes)[number];

/** One change made to a value so that it fits its schema; it never changes what the value means. */
export interface Coercion {
  /** Where, as in issues: `$.items[2].name`. For a renamed key, the path that was written. */
  readonly path: string;
  readonly code: CoercionCode;
  /** What was there; for a renamed key, its name. */
  readonly from: unknown;
  /** What it became; for a renamed key, its name; `undefined` for what was dropped. */
  readonly to: unknown;
}
