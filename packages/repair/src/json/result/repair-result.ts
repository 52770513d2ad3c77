import type { JsonValue } from './json-value.ts';
import type { RepairErrorCode } from './repair-error-codes.ts';

/** How sure one repair is: no other reading, a choice made or something dropped, or a text that ended early. */
export type RepairRisk = 'safe' | 'lossy' | 'truncated';

/** One thing that was read differently from how it was written. Offsets count UTF-16 units of the input. */
export interface Repair {
  /** Which fix, in kebab case, such as `trailing-comma`. */
  readonly code: string;
  readonly start: number;
  readonly end: number;
  /** What stood there, at most 60 characters of it. */
  readonly found: string;
  /** What it was taken for; empty when it was dropped. */
  readonly assumed: string;
  readonly risk: RepairRisk;
}

/** A value could be read. */
export interface RepairSuccess {
  readonly ok: true;
  readonly value: JsonValue;
  /** The gravest risk among the repairs; `none` when the text was valid JSON. */
  readonly risk: 'none' | RepairRisk;
  /**
   * Whether the value's own closer stands in the text. `false` with risk `truncated`: the text was cut, or may have been,
   * and the value must not be acted on. `false` with risk `lossy`: it ended after a finished value, and the caller said that
   * the model stopped by itself. A closer that may as well belong to a string without an end counts as missing.
   */
  readonly complete: boolean;
  /** What was done, in the order in which it was found. */
  readonly repairs: readonly Repair[];
}

/** No value could be read without guessing. */
export interface RepairFailure {
  readonly ok: false;
  readonly code: RepairErrorCode;
  /** For the developer. */
  readonly message: string;
  /** For the model: what to send instead, naming the exact fixes. */
  readonly hint: string;
  /** Where reading stopped, as an offset into the text. */
  readonly position: number;
}

/** What `repairJson` answers: never an exception for bad text. */
export type RepairResult = RepairSuccess | RepairFailure;
