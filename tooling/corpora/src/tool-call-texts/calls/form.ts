import type { Random } from '../../random.ts';
import type { Call } from './call.ts';

/** A call whose arguments have been written. */
export interface WrittenCall {
  readonly name: string;
  readonly args: string;
  readonly call: Call;
}

/** The calls of an envelope as text, up to the end of the last arguments, and the closing text. */
export interface Enclosed {
  readonly body: string;
  readonly closer: string;
}

/** One way to write an envelope. */
export interface Form {
  /** The name of the envelope in the package's fixtures. */
  readonly envelope: string;
  readonly form: string;
  /** Distinctiveness of the opener: 1 for a special token, 2 for a common tag, 3 without an opener. */
  readonly tier: 1 | 2 | 3;
  /** `one` call only, several `inside` one envelope, or several envelopes that `repeat`. */
  readonly calls: 'one' | 'inside' | 'repeat';
  /** Must begin the message. */
  readonly opensMessage?: true;
  /** Has no end marker, so no text may follow. */
  readonly endsMessage?: true;
  /** Contains fixed sentences that are not part of a call. */
  readonly leavesText?: true;
  /** Does not keep white space at the ends of texts. */
  readonly trims?: true;
  /** Returns whether the calls can be written in this form. */
  readonly suits?: (call: Call) => boolean;
  readonly writeArguments: (call: Call, random: Random) => string;
  readonly enclose: (calls: readonly WrittenCall[], random: Random) => Enclosed;
}
