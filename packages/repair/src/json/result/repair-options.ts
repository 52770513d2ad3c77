import type { JsonSchema } from '../../json-schema.ts';

/** Bounds on what is read. All have defaults; none can be switched off by the text. */
export interface Limits {
  /** Deepest nesting that the repairing reader builds. Default 1,000. Valid JSON is checked only when this is given. */
  readonly depth?: number;
  /** Longest text, in UTF-16 units. Default 32 Mi. */
  readonly size?: number;
  /** Most repairs that are listed. Default 10,000. Further ones are made and count for `risk`, but are not listed. */
  readonly repairs?: number;
  /** Most times that a string which seemed to run to the end of the text is ended earlier after all. Default 16. */
  readonly backtracks?: number;
  /** Objects that name a key twice: the last one wins silently (default), with a repair, or the text is refused. */
  readonly duplicateKeys?: 'last' | 'report' | 'refuse';
  /** Integers that a double cannot hold: rounded silently (default), with a repair, or the text is refused. */
  readonly unsafeIntegers?: 'round' | 'report' | 'refuse';
}

/** What the caller knows about the text. */
export interface RepairOptions {
  /** What the value should look like. Decides what characters mean, never turns one value into another. */
  readonly schema?: JsonSchema;
  /**
   * `object`: an object is looked for, so that a string holding one is opened. Default `any`.
   * Valid JSON of another kind is still returned as it is, for a validator to judge.
   */
  readonly root?: 'object' | 'any';
  /** Why the text ended: the model stopped by itself, or was cut. Not given counts as cut. */
  readonly stopped?: 'stop' | 'length';
  readonly limits?: Limits;
}
