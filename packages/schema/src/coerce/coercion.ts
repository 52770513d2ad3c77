/**
 * Codes of a {@link Coercion}.
 *
 * - `null_dropped`: null for an optional key counts as absent.
 * - `json_parsed`: an array or object was written as JSON inside a string.
 * - `number_parsed`, `boolean_parsed`: a number or boolean was written as a string, and no string is accepted.
 * - `null_parsed`: null was written as `"null"`, `"None"` or `"nil"`, and no string is accepted.
 * - `reasoning_dropped`: a closed schema got the model's reasoning as a further key, such as `thought`.
 * - `enum_case`: an enum value in another case; exactly one value fits.
 * - `wrapped`: a single value where a list of such values is required.
 * - `key_renamed`: a spelling variant of a declared key (case, underscores); exactly one key fits.
 * - `alias`: a declared alias of a key.
 */
export const coercionCodes = [
  'null_dropped',
  'json_parsed',
  'number_parsed',
  'boolean_parsed',
  'null_parsed',
  'reasoning_dropped',
  'enum_case',
  'wrapped',
  'key_renamed',
  'alias',
] as const;

/** One of {@link coercionCodes}. */
export type CoercionCode = (typeof coercionCodes)[number];

/** One change that made a value fit its schema. It never changes the value's meaning. */
export interface Coercion {
  /** Path of the value, as in issues: `$.items[2].name`. For a renamed key, the path as it was written. */
  readonly path: string;
  readonly code: CoercionCode;
  /** The original value; for a renamed key, its original name. */
  readonly from: unknown;
  /** The new value; for a renamed key, its new name; `undefined` if the value was dropped. */
  readonly to: unknown;
}
