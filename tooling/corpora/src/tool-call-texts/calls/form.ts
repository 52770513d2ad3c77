import type { Random } from '../../random.ts';
import type { Call } from './call.ts';

/** A call whose arguments have been written. */
export interface WrittenCall {
  readonly name: string;
  readonly args: string;
  readonly call: Call;
}

/** What an envelope makes of its calls: the text up to the end of the last arguments' own notation, and what closes it. */
export interface Enclosed {
  readonly body: string;
  readonly closer: string;
}

/** One way in which an envelope is written. */
export interface Form {
  /** The envelope, by the name that the fixtures of the package give it. */
  readonly envelope: string;
  readonly form: string;
  /** How hard its opener is to mistake: 1 a special token, 2 a tag that anybody may write, 3 none. */
  readonly tier: 1 | 2 | 3;
  /** `one` call only, several `inside` one envelope, or several envelopes that `repeat`. */
  readonly calls: 'one' | 'inside' | 'repeat';
  /** Stands at the very start of the message. */
  readonly opensMessage?: true;
  /** Has no end of its own, so nothing may follow. */
  readonly endsMessage?: true;
  /** Has sentences of its own that are no part of a call. */
  readonly leavesText?: true;
  /** Does not keep white space at the ends of texts. */
  readonly trims?: true;
  /** Whether the calls can be written in it at all. */
  readonly suits?: (call: Call) => boolean;
  readonly writeArguments: (call: Call, random: Random) => string;
  readonly enclose: (calls: readonly WrittenCall[], random: Random) => Enclosed;
}
