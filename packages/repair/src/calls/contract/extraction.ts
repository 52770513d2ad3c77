import type { JsonObject } from '../../json/result/json-value.ts';
import type { Limits } from '../../json/result/repair-options.ts';
import type { Repair, RepairRisk } from '../../json/result/repair-result.ts';
import type { CallableTool, Envelope } from './envelope.ts';

/** What the caller knows about the text. */
export interface ExtractOptions {
  /** The tools that were offered to the model. Only these can be called. */
  readonly tools: readonly CallableTool[];
  /** The envelopes to look for, earlier ones first. Default: all that this package knows. */
  readonly envelopes?: readonly Envelope[];
  /** Why the text ended: the model stopped by itself, or was cut. Not given counts as cut. */
  readonly stopped?: 'stop' | 'length';
  /**
   * Whether the text begins within the model's reasoning, because its template wrote the opening tag. Not given, a closing
   * tag without an opening one shows it; `false` says that such a tag is nothing but text.
   */
  readonly startsInReasoning?: boolean;
  readonly limits?: Limits;
  /** Told, for the developer, of what is wrong with the options and does not keep calls from being read. */
  readonly onDiagnostic?: (message: string) => void;
}

/** One call that the text makes. */
export interface ExtractedCall {
  /** The declared name, whatever spelling stood in the text. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** The envelope that it was written in, such as `hermes`. */
  readonly envelope: string;
  /** The span that was taken out of the text, in UTF-16 units. Calls of one envelope share its span. */
  readonly start: number;
  readonly end: number;
  readonly risk: 'none' | RepairRisk;
  /**
   * Whether the arguments' own closer stands in the text. `false` only for arguments that ended after a finished value,
   * where a closing tag ended them or the model is known to have stopped by itself.
   */
  readonly complete: boolean;
  readonly repairs: readonly Repair[];
}

/**
 * Why something that looks like a call is none. `incomplete`: its arguments were cut. `unknown_tool`: no declared tool has
 * that name. `invalid_json`: its body cannot be read. `invalid_arguments`: the arguments are no object, or an untagged call lacks required ones.
 * `reasoning`: it stood in reasoning that had lost its opening tag. `repeated`: it says again, in another notation, what
 * opened the message. `quotation`: it stands between quotation marks in prose, or between marks of untrusted text.
 * `another_turn`: it stands behind the beginning of another speaker's turn, which the model made up. `mentioned`: a declared
 * tool's name with arguments in text that makes no call of it, such as an example.
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

/** Something that looks like a call and is not one. Its text stays where it was. */
export interface RejectedCall {
  readonly reason: RejectReason;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  /** One sentence for the model: how to send it so that it counts. */
  readonly hint: string;
}

/** The calls that a text makes, and the text without them. */
export interface Extraction {
  readonly calls: readonly ExtractedCall[];
  /** The text without the spans of `calls`, everything else byte for byte. */
  readonly text: string;
  readonly rejected: readonly RejectedCall[];
}
