import type { JsonValue } from '../../json/result/json-value.ts';
import type { Limits } from '../../json/result/repair-options.ts';
import type { Repair, RepairRisk } from '../../json/result/repair-result.ts';
import type { CallableTool } from './callable-tool.ts';

/** The text that calls are read from, with what reading them needs to know. */
export interface Source {
  readonly text: string;
  readonly tools: readonly CallableTool[];
  readonly stopped?: 'stop' | 'length';
  readonly limits?: Limits;
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
  /** Whether arguments that are open were ended by a closing tag, so that the text was not cut there. */
  readonly isTagged?: boolean;
  readonly risk: 'none' | RepairRisk;
  readonly repairs: readonly Repair[];
  /** Whether it says what the tool is and does not call it. */
  readonly isDefinition?: boolean;
}

/** A call that no reading holds for is reported without a name. */
export const unreadable: WrittenCall = {
  name: undefined,
  arguments: undefined,
  ending: 'closed',
  risk: 'lossy',
  repairs: [],
};

/** What an envelope found at one place. */
export interface Found {
  /** Where it ends, its closer included. */
  readonly end: number;
  readonly calls: readonly WrittenCall[];
  /** The more telling name of the shape, where one envelope reads several. */
  readonly shape?: string;
  /** Whether another call begins before the last of these has ended. */
  readonly isInterrupted?: boolean;
  /** Whether what was read may as well be something else that only looks like it. */
  readonly isDoubtful?: boolean;
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
   * Reads the envelope whose opener stands at `start` and whose body begins at `body`, in a text that is all there.
   * `undefined` when what stands there is another envelope's, or no call.
   */
  readonly read: (source: Source, start: number, body: number) => Found | undefined;
}
