import type { JsonValue } from './json-value.ts';

/**
 * The error codes of reading JSON.
 * `INVALID_JSON`: the text can't be read. `JSON_TOO_LARGE`, `JSON_TOO_DEEP`: a limit was exceeded.
 * `DUPLICATE_KEY`, `UNSAFE_INTEGER`: rejected on request, see `Limits`.
 */
export const repairErrorCodes = [
  'INVALID_JSON',
  'JSON_TOO_LARGE',
  'JSON_TOO_DEEP',
  'DUPLICATE_KEY',
  'UNSAFE_INTEGER',
] as const;

/** One of `repairErrorCodes`. */
export type RepairErrorCode = (typeof repairErrorCodes)[number];

/**
 * How certain a repair is: no other reading exists, one of several was chosen or something was dropped, or the text
 * ended early.
 */
export type RepairRisk = 'safe' | 'lossy' | 'truncated';

/** One difference between the text and its reading. Offsets count UTF-16 units of the input. */
export interface Repair {
  /** The name of the fix in kebab case, such as `trailing-comma`. */
  readonly code: string;
  readonly start: number;
  readonly end: number;
  /** The original text, at most 60 characters of it. */
  readonly found: string;
  /** The replacement. Empty if the text was dropped. */
  readonly assumed: string;
  readonly risk: RepairRisk;
}

/** The result if a value could be read. */
export interface RepairSuccess {
  readonly ok: true;
  readonly value: JsonValue;
  /** The highest risk of the repairs. `none` if the text was valid JSON. */
  readonly risk: 'none' | RepairRisk;
  /**
   * Whether the text contains the closer of the value. `false` with risk `truncated`: the text was or may have been
   * cut, and the value must not be used. `false` with risk `lossy`: it ended after a complete value, and the caller
   * reported that the model stopped by itself. A closer that may belong to a string without an end counts as missing.
   */
  readonly complete: boolean;
  /** The repairs, in the order in which they were found. */
  readonly repairs: readonly Repair[];
}

/** The result if no value could be read without guessing. */
export interface RepairFailure {
  readonly ok: false;
  readonly code: RepairErrorCode;
  /** For the developer. */
  readonly message: string;
  /** For the model: what to send instead, with the exact corrections. */
  readonly hint: string;
  /** The offset at which reading stopped. */
  readonly position: number;
}

/** The result of `repairJson`, which never throws for invalid text. */
export type RepairResult = RepairSuccess | RepairFailure;

/** Maximum length of the texts in a repair. */
export const preview = 60;

/** Gives the repairs of a decoded text, whose offsets are other ones, the range of the text that was decoded. */
export function spanning(repairs: readonly Repair[], start: number, end: number): readonly Repair[] {
  return repairs.map((repair) => ({ ...repair, start, end }));
}

/** Creates the report of a repair between two offsets of a text. */
export function createRepair(
  text: string,
  code: string,
  risk: RepairRisk,
  start: number,
  end: number,
  assumed = '',
): Repair {
  const found = text.slice(start, Math.min(end, start + preview));
  return { code, start, end, found, assumed: assumed.length > preview ? assumed.slice(0, preview) : assumed, risk };
}
