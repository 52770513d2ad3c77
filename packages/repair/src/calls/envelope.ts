import type { JsonValue } from '../json/json-value.ts';
import type { Limits } from '../json/repair-options.ts';
import type { Repair, RepairRisk } from '../json/repair-result.ts';
import type { CallableTool } from './extraction.ts';

/** The text that calls are read from, with what reading them needs to know. */
export interface Source {
  readonly text: string;
  readonly tools: readonly CallableTool[];
  readonly stopped?: 'stop' | 'length';
  readonly limits?: Limits;
  /** How many characters second readings may still cost, so that the whole stays linear. */
  budget: number;
  /** Where needles were last found, so that asking again costs nothing. */
  readonly finds: Map<string, { from: number; found: number }>;
  /** Closing tags of reasoning that do not come any more. */
  readonly unending: Set<string>;
}

/** A call as it was written, before its name is looked up and its arguments are judged. */
export interface WrittenCall {
  /** `undefined` when none was written, or when the text ends inside it. */
  readonly name: string | undefined;
  /** `undefined` when none were written. */
  readonly arguments: JsonValue | undefined;
  /** Values given by position, for calls written like code. */
  readonly positional?: readonly JsonValue[];
  /** Whether the text ended before the arguments did, and how: after a finished value or inside one. */
  readonly ending: 'closed' | 'open' | 'cut';
  readonly risk: 'none' | RepairRisk;
  readonly repairs: readonly Repair[];
}

/** What an envelope found at one place. */
export interface Found {
  /** Where it ends, its closer included. */
  readonly end: number;
  readonly calls: readonly WrittenCall[];
  /** The more telling name of the shape, where one envelope reads several. */
  readonly shape?: string;
}

/**
 * A textual form of a call. `tier` 1 begins with a special token that nobody writes by accident, 2 with a tag that can
 * be written in prose, 3 with nothing but the call itself.
 */
export interface Envelope {
  readonly name: string;
  readonly tier: 1 | 2 | 3;
  /**
   * The texts at one of which it begins, which may depend on the tools. Tier 3 has none: it is tried where a message or
   * a code fence begins or ends.
   */
  readonly openers: readonly string[] | ((tools: readonly CallableTool[]) => readonly string[]);
  /**
   * Reads the envelope whose opener stands at `start` and whose body begins at `body`.
   * `undefined` when what stands there is another envelope's, or no call.
   */
  readonly read: (source: Source, start: number, body: number) => Found | undefined;
}
