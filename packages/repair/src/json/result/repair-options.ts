import type { JsonValue } from './json-value.ts';

/**
 * A JSON Schema as data: an object of keywords, or `true` (anything) and `false` (nothing).
 * Declared structurally, so that this package has no dependencies. Any typed schema fits it.
 */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** Limits of reading. All have defaults. */
export interface Limits {
  /** Maximum nesting of repaired values. Default 1,000. Valid JSON is checked only if this is given. */
  readonly depth?: number;
  /** Maximum length of the text, in UTF-16 units. Default 32 Mi. */
  readonly size?: number;
  /** Maximum number of listed repairs. Default 10,000. Further repairs count for `risk`, but are not listed. */
  readonly repairs?: number;
  /**
   * Maximum number of strings that are read again and ended earlier, because they seemed to extend to the end of the text,
   * and of searches of the rest of the text for closing brackets. Default 16.
   */
  readonly backtracks?: number;
  /** Duplicate keys in an object: the last one counts, silently (default) or with a repair, or the text is rejected. */
  readonly duplicateKeys?: 'last' | 'report' | 'refuse';
  /** Integers that a double can't represent: rounded silently (default) or with a repair, or the text is rejected. */
  readonly unsafeIntegers?: 'round' | 'report' | 'refuse';
}

/** What the caller knows about the text. */
export interface RepairOptions {
  /** The schema of the value. It determines what characters mean, and never changes one value into another. */
  readonly schema?: JsonSchema;
  /**
   * `object` requests an object, so that a string that contains one is opened, and of several objects the best one is
   * returned. Default `any`: JSON Lines, and other documents that follow each other directly or after a comma, are a list.
   * Valid JSON of another type is still returned unchanged, for a validator to judge.
   */
  readonly root?: 'object' | 'any';
  /**
   * Why the text ended: the model stopped by itself, or was cut. Without it, a missing end counts as cut. A string
   * without its quote then ends before the closers at the end, if it opened none of them or they have a line of their own.
   */
  readonly stopped?: 'stop' | 'length';
  readonly limits?: Limits;
  /**
   * Asked for the value of a text that has no reading, such as `readWithJsonrepair` of `@haft/repair/jsonrepair`. The answer
   * is `lossy` and never `complete`. `undefined` refuses the text.
   */
  readonly fallback?: (text: string) => JsonValue | undefined;
}
