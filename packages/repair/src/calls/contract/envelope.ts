import type { JsonValue } from '../../json/result/json-value.ts';
import type { JsonSchema, Limits } from '../../json/result/repair-options.ts';
import type { Repair, RepairRisk } from '../../json/result/repair-result.ts';

/** The text that calls are read from, and the options for reading it. */
export interface Source {
  readonly text: string;
  readonly tools: readonly CallableTool[];
  readonly stopped?: 'stop' | 'length';
  readonly limits?: Limits;
}

/** A call as it was written, before its name is resolved and its arguments are checked. */
export interface WrittenCall {
  /** `undefined` if the name is missing or cut. */
  readonly name: string | undefined;
  /** `undefined` if the call has no arguments. */
  readonly arguments: JsonValue | undefined;
  /** Values given by position, for calls written as code. */
  readonly positional?: readonly JsonValue[];
  /** Whether the arguments are closed, end after a finished value (`open`), or end inside a value (`cut`). */
  readonly ending: 'closed' | 'open' | 'cut';
  /** Whether a closing tag ends open arguments, so that the text was not cut there. */
  readonly hasClosingTag?: boolean;
  readonly risk: 'none' | RepairRisk;
  readonly repairs: readonly Repair[];
  /** Whether it describes or names the tool instead of calling it. */
  readonly isDefinition?: boolean;
  /** Whether it was damaged from its beginning on, so that it was not shown while it was written. */
  readonly isUnseen?: boolean;
}

/** A call that cannot be read: reported without a name. */
export const unreadable: WrittenCall = {
  name: undefined,
  arguments: undefined,
  ending: 'closed',
  risk: 'lossy',
  repairs: [],
};

/** One written call, and where it ends. */
export interface PlacedCall {
  readonly call: WrittenCall;
  readonly end: number;
  readonly isInterrupted?: boolean;
}

/** The calls that an envelope found at an offset. */
export interface Found {
  /** The end, after the closer. */
  readonly end: number;
  readonly calls: readonly WrittenCall[];
  /** The name of the shape, for an envelope that reads several. */
  readonly shape?: string;
  /** Whether another call begins before the last of these calls has ended. */
  readonly isInterrupted?: boolean;
  /** Whether the text may be prose in brackets that only looks like JSON. */
  readonly mayBeProse?: boolean;
}

/**
 * A textual form of calls. An envelope of `tier` 1 begins with a special token, one of tier 2 with a tag that may occur in
 * prose, and one of tier 3 with the call itself: a bare call.
 */
export interface Envelope {
  readonly name: string;
  readonly tier: 1 | 2 | 3;
  /**
   * The texts that may open it, which may depend on the tools. A bare call has none: it is tried where a message, a code
   * fence or code between backticks begins, and after another call.
   */
  readonly openers: readonly string[] | ((tools: readonly CallableTool[]) => readonly string[]);
  /** Reads the envelope that opens at `start`, in a complete text. Returns undefined if another one or no call begins there. */
  readonly read: (source: Source, start: number, body: number) => Found | undefined;
}

/** A tool that the model may call. */
export interface CallableTool {
  readonly name: string;
  /** The JSON Schema of its arguments. */
  readonly parameters?: JsonSchema;
  /** Other names that a model may use for an argument: declared name → names. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
}

/** A range of text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
