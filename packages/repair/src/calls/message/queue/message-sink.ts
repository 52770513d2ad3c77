import type { ArgumentsWatch } from '../../source/call-watch.ts';
import type { ExtractedCall, RejectedCall } from '../../contract/extraction.ts';

/** A call that is shown while it is being written. */
export interface LiveCall {
  readonly name: string;
  readonly watch: ArgumentsWatch;
}

/** Whoever takes in what a message turns out to be, in order. */
export interface MessageSink {
  /** More of the text, without what stands for calls. `isQuoted`: it stands between marks of untrusted text. */
  readonly text: (text: string, isQuoted: boolean) => void;
  /** A call of a tool has begun, and will either be told of as a call or as rejected. Not there when nobody wants to know. */
  readonly begin?: (name: string) => LiveCall;
  readonly call: (call: ExtractedCall, live: LiveCall | undefined) => void;
  /** `text` is the part of the message's text that it stands for. */
  readonly rejected: (rejected: RejectedCall, text: string, live: LiveCall | undefined) => void;
}
