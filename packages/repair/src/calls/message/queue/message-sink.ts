import type { ExtractedCall, RejectedCall } from '../../contract/extraction.ts';
import type { ArgumentsWatch } from '../../source/call-watch.ts';

/** A call that is shown while it is being written. */
export interface LiveCall {
  readonly name: string;
  readonly watch: ArgumentsWatch;
}

/** Receives the parts of a message in order. */
export interface MessageSink {
  /** Receives more of the text, without calls. `isUntrusted`: the text is in a fence around untrusted text. */
  readonly text: (text: string, isUntrusted: boolean) => void;
  /** Receives the beginning of a call, which is either made or rejected later. Missing if calls are not shown while they are written. */
  readonly begin?: (name: string) => LiveCall;
  readonly call: (call: ExtractedCall, live: LiveCall | undefined) => void;
  /** `text` is the part of the text that the rejected call takes up. */
  readonly rejected: (rejected: RejectedCall, text: string, live: LiveCall | undefined) => void;
}
