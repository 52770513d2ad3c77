import type { JsonObject } from '../../json/result/json-value.ts';
import type { Limits } from '../../json/result/repair-options.ts';
import type { Repair, RepairRisk } from '../../json/result/repair-result.ts';
import type { CallableTool, Envelope } from './envelope.ts';

/** The options for reading calls from a text. */
export interface ExtractOptions {
  /** The tools that were offered to the model. Only these can be called. */
  readonly tools: readonly CallableTool[];
  /** The envelopes to look for, in order of preference. Default: `allEnvelopes`. */
  readonly envelopes?: readonly Envelope[];
  /** Why the text ended: the model stopped by itself (`stop`) or was cut (`length`). Default: cut. */
  readonly stopped?: 'stop' | 'length';
  /**
   * Whether the text begins inside the model's reasoning, because the template wrote the opening tag. Default: a closing tag
   * without an opening tag shows it. With `false`, such a tag is text.
   */
  readonly startsInReasoning?: boolean;
  readonly limits?: Limits;
  /** Called with a message for the developer if an option is wrong but calls can still be read. */
  readonly onWarning?: (message: string) => void;
}

/** One call in the text. */
export interface ExtractedCall {
  /** The declared name, whatever its spelling in the text. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** The envelope of the call, such as `hermes`. */
  readonly envelope: string;
  /** The range that was taken out of the text, in UTF-16 units. Calls of one envelope share its range. */
  readonly start: number;
  readonly end: number;
  readonly risk: 'none' | RepairRisk;
  /**
   * Whether the text holds the closer of the arguments. `false` only for arguments that end after a finished value, where a
   * closing tag ends them or the model stopped by itself.
   */
  readonly complete: boolean;
  readonly repairs: readonly Repair[];
}

/**
 * Why text that looks like a call does not count as one. `incomplete`: its arguments are cut, have damage that leaves
 * several meanings, or lack an argument that is beside them. `unknown_tool`: no declared tool has that name.
 * `invalid_json`: its body cannot be read, or does not name a tool. `invalid_arguments`: the arguments are not an object, or required ones are
 * missing. `reasoning`: it is in reasoning without an opening tag. `repeated`: it repeats an earlier call.
 * `quotation`: it is between quotation marks, is the subject of a sentence, or is in a fence around untrusted text.
 * `another_turn`: it follows a turn of another speaker or a result that the model made up. `mentioned`: a tool is
 * named with arguments in other text, such as an example, or in a form that is not read, such as a command.
 */
export type RejectReason =
  | 'incomplete'
  | 'unknown_tool'
  | 'invalid_json'
  | 'invalid_arguments'
  | 'reasoning'
  | 'repeated'
  | 'quotation'
  | 'another_turn'
  | 'mentioned';

/** Text that looks like a call and does not count as one. It stays in the text, unless it shares its range with a call. */
export interface RejectedCall {
  readonly reason: RejectReason;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  /** One sentence for the model that says how to send a call that counts. */
  readonly hint: string;
}

/** The calls in a text, and the text without them. */
export interface Extraction {
  readonly calls: readonly ExtractedCall[];
  /** The text without the ranges of `calls`, otherwise unchanged. */
  readonly text: string;
  readonly rejected: readonly RejectedCall[];
}
